"""`looksy mcp`: Looksy as tools of a language model."""

from service.cli import common
from service.cli.run_recording import RecordingCommandAsker


def mcp(
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Serve the tools verify and search over the Model Context Protocol, on standard input and output."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from service.answers.asker import LazyEngine
    from service.answers.caller import Via
    from service.factchecks.checked_before import CheckedBeforeAsker, EarlierChecks
    from service.mcp import run_stdio
    from service.stores import LazyStore

    asker = CheckedBeforeAsker(LazyEngine(settings), EarlierChecks(settings))
    engine, opened = RecordingCommandAsker(asker, settings, via=Via.MCP), LazyStore(settings)
    try:
        run_stdio(engine, opened)
    finally:
        engine.close()
        opened.close()
