import json

import pytest

from core.settings import load_settings
from core.types import Request
from evaluation.performance.generator import Load, measure
from evaluation.performance.scripted_model import REFUSAL, ScriptedModel, scripted_reply
from indexing.job import run_index
from indexing.stores.open import open_store
from pipelines.attribution.citations import read_citations
from pipelines.engine import Engine
from pipelines.generation.prompts import load_prompt

TWO = (
    "Doc[1] Bridge (Post, 2024-05-01)\nThe weather was fine.\n\n"
    "Doc[2] Bridge (Post, 2024-05-02)\nIt rained. Mayor Ellen Marsh opened the bridge on Tuesday."
)
BODY = "Mayor Ellen Marsh opened the bridge on Tuesday. It cost 48 million pounds."
QUERY = "Who opened the bridge on Tuesday?"


def reply(prompt: str, **values: str) -> str:
    return scripted_reply(list(load_prompt(prompt).messages({"query": QUERY, **values})))


def test_scripted_model_cites_the_excerpt_that_it_copies() -> None:
    said = reply("references", evidence=TWO)
    assert said == "Mayor Ellen Marsh opened the bridge on Tuesday Doc[2]."
    assert read_citations(said, given={1, 2}).sentences[0].numbers == (2,)


def test_scripted_model_replies_in_every_mode() -> None:
    plain = TWO.replace("Doc[1] ", "").replace("Doc[2] ", "")
    assert reply("contexts", evidence=plain) == "Mayor Ellen Marsh opened the bridge on Tuesday."
    assert reply("keywords", evidence="- Ellen Marsh (0.91)\n- Tuesday (0.20)") == "Ellen Marsh."
    assert reply("raw") == REFUSAL
    assert reply("references", evidence="Doc[1] Bread (Post, undated)\nBread got dearer.") == REFUSAL
    assert reply("self_verification", evidence=TWO, answer="Ellen Marsh.") == "yes"


@pytest.mark.parametrize(("alone", "through", "added"), [(10.0, 9.0, 0.1), (10.0, 10.0, 0.0)])
def test_what_the_pipeline_adds_is_a_share_of_the_generators_rate(alone: float, through: float, added: float) -> None:
    load = Load(clients=1, queries=1, alone_per_second=alone, pipeline_per_second=through, cpu_ms=1.0)
    assert load.added == pytest.approx(added)


def test_load_sends_the_same_requests_through_the_pipeline_and_alone(tmp_path) -> None:
    article = {"url": "https://post.example/a", "headline": "Bridge opened", "body": BODY, "source": "Post"}
    (tmp_path / "a.jsonl").write_text(json.dumps(article), encoding="utf-8")
    with ScriptedModel(prefill=0, decode=0) as model:
        flags = {"generator": "openai", "generator_url": model.url, "generator_model": "scripted"}
        settings = load_settings(flags | {"data_dir": tmp_path}, environment={})
        store = open_store(settings, must_exist=False)
        run_index(store, data_dir=tmp_path, articles=tmp_path / "a.jsonl")
        store.close()
        made = Engine(settings)
        load = measure(made, [Request(text=QUERY), Request(text="What did the bridge cost?")], clients=2)
        made.close()
    assert load.queries == 2
    assert load.alone_per_second > load.pipeline_per_second > 0
