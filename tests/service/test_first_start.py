"""A first start that is broken off is not taken for whole: virtual environment and certificates, with stand-ins."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from core.paths import ROOT

COMPOSE = ROOT / "docker-compose.yml"
pytestmark = pytest.mark.skipif(
    not COMPOSE.is_file(), reason="Makefile and docker-compose.yml are part of the checkout only"
)
PYTHON = """#!/bin/sh
echo "$*" >> "{log}"
test "$2" = venv || exit 0
for folder; do :; done
mkdir -p "$folder/bin"
touch "$folder/pyvenv.cfg"
cp "$0" "$folder/bin/python"
test ! -e "{broken}" && touch "$folder/bin/pip"
"""


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_a_virtual_environment_without_pip_is_made_anew_and_a_whole_one_kept(tmp_path: Path) -> None:
    log, broken, venv, python = (tmp_path / name for name in ("log", "broken", "venv", "python"))
    python.write_text(PYTHON.format(log=log, broken=broken))
    python.chmod(0o755)
    broken.touch()
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}  # of `make test`

    def install() -> tuple[int, list[str]]:
        log.write_text("")
        command = ["make", "-C", str(ROOT), "install", f"PYTHON={python}", f"VENV={venv}"]
        done = subprocess.run(command, capture_output=True, check=False, env=environment)
        return done.returncode, [line for line in log.read_text().splitlines() if "import sys" not in line]

    code, commands = install()
    assert code != 0
    assert commands == [f"-m venv {venv}"]
    broken.unlink()
    pip = "-m pip install --quiet --disable-pip-version-check --editable ."
    assert install() == (0, [f"-m venv --clear {venv}", pip])
    (venv / ".default").unlink()
    assert install() == (0, [pip])


CERTIFICATES = ("ca/ca.crt", "ca/ca.key", "node/node.crt", "node/node.key")
FAKES = {
    "bin/elasticsearch-certutil": """while [ "$1" != --out ]; do kind=${kind:-$1}; shift; done
        test ! -e "$2" && echo "$kind" | sed s/cert/node/ > "$2" """,
    "path/unzip": """kind=$(cat "$2")
        mkdir -p "$4/$kind"
        for end in crt key; do test ! -e "$4/$kind/$kind.$end" && echo new > "$4/$kind/$kind.$end" || exit 1; done""",
    "path/chown": "exit 0",
}
"""Stand-ins: what they make says "new", and neither writes over what is there."""


@pytest.mark.parametrize("made", range(len(CERTIFICATES) + 1))
def test_certificates_that_were_left_half_made_are_made_again(made: int, tmp_path: Path) -> None:
    """As many files as an earlier start, or an earlier version, left; all of them: the CA may be in use and stays."""
    for name, text in FAKES.items():
        command = tmp_path / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(f"#!/bin/sh\n{text}\n")
        command.chmod(0o755)
    volume = tmp_path / "volume"
    for folder in ("", "ca", "node"):
        (volume / folder).mkdir()
    for name in CERTIFICATES[:made]:
        (volume / name).write_text("old\n")
    (tmp_path / "ca.zip").write_text("of a start that was broken off")
    shell, option, script = yaml.safe_load(COMPOSE.read_text())["services"]["certificates"]["command"]
    script = script.replace("$$", "$").replace("/tmp/", f"{tmp_path}/").replace("/certificates", str(volume))
    for _ in range(2):
        subprocess.run(
            [shell, option, script],
            cwd=tmp_path,
            env=os.environ | {"PATH": f"{tmp_path / 'path'}{os.pathsep}{os.environ['PATH']}"},
            check=True,
        )
        texts = {(volume / name).read_text().strip() for name in CERTIFICATES}
        assert texts == {"old" if made == len(CERTIFICATES) else "new"}
    assert (volume / "done").is_file()
