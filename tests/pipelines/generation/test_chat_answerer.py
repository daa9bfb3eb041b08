import pytest

from core.errors import ConfigError
from core.settings import load_settings
from core.types import QueryKind
from pipelines.generation.chat_answerer import ChatAnswerer


@pytest.mark.parametrize("mode", ["reference", "agent_report", "notes.yaml"])
def test_a_mode_that_does_not_exist_is_named_with_those_that_do(mode) -> None:
    answerer = ChatAnswerer(settings=load_settings({"mode": mode}, environment={}))
    with pytest.raises(ConfigError) as caught:
        answerer.run("Who won?", QueryKind.QUESTION, [])
    assert (caught.value.field, mode in caught.value.message) == ("mode", True)
    assert "references, contexts, keywords, raw" in (caught.value.hint or "")
