"""
Run a command until it ends, or until whoever started this has gone: then standard input ends, and the command with it.

A program of its own, with nothing but the standard library: `python child_watch.py COMMAND...`.
"""

import subprocess
import sys
import threading

GRACE_S = 2.0
"""Time to end by itself; a server in the middle of a batch takes longer, and nobody waits for it any more."""


def main() -> int:
    """Run the command of the arguments; return its exit code."""
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)  # noqa: S603  (given by Looksy, not by a user)

    def end_with_parent() -> None:
        sys.stdin.buffer.read()
        child.terminate()
        try:
            child.wait(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            child.kill()

    threading.Thread(target=end_with_parent, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main())
