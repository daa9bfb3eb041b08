"""`looksy mcp`: Looksy as tools of a language model."""

from core.errors import UnavailableError
from service.cli import common
from service.cli.run_recording import RecordingCommandAsker


def mcp(
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Serve the tools verify, check and search over the Model Context Protocol, on standard input and output."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    try:
        from service.mcp.server import run_stdio
    except ImportError as error:
        raise UnavailableError("looksy mcp needs the package mcp", hint="Run: pip install 'looksy[mcp]'") from error

    from service.answers.asker import LazyEngine
    from service.answers.caller import Via
    from service.checks.run import CheckRunner
    from service.checks.store import CheckStore
    from service.desk.report_filter import keep_reports_out
    from service.factchecks.checked_before import CheckedBeforeAsker, EarlierChecks
    from service.mcp.tools import make_tools
    from service.stores import LazyStore

    opened = LazyStore(settings)
    asker = CheckedBeforeAsker(keep_reports_out(LazyEngine(settings), settings, opened.get), EarlierChecks(settings))
    engine = RecordingCommandAsker(asker, settings, via=Via.MCP)
    kept = CheckStore(settings.data_dir, keep=settings.keep_runs)
    checks = CheckRunner(engine, kept, snapshot=lambda: opened.get().snapshot_id())
    try:
        run_stdio(make_tools(engine, opened, checks))
    finally:
        engine.close()
        opened.close()
