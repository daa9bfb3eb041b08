"""Every system of the registry against the planted injections, by plain code and with a model that obeys orders."""

import json
import re

import pytest

from core.requests import parse_request
from core.types import MAX_QUERY_CHARS, Result, Verdict
from pipelines.attribution.folding import fold
from pipelines.systems.registry import get_system, systems
from tests.chat_server import obedient
from tests.hostile.planting import Case, cases, stories
from tests.hostile.test_hostile import check_form, engines, hostile_dir, obeying_server

CASES = cases()
QUICK = CASES[::20]
OTHERS = [name for name in systems() if name != "verify"]
"""verify has every case in test_hostile."""


def request_of(system: str, case: Case):
    """Ask with the case's query; a system that reads whole texts reads the planted article itself."""
    reads_texts = get_system(system).info.max_chars > MAX_QUERY_CHARS
    text = case.article()["url"] if reads_texts else case.query
    return parse_request({"text": text})


def obeys_in_form(case: Case):
    """Obey every order, in whatever form of JSON the prompt asks for."""

    def reply(messages):
        text = f"{case.says} Doc[1]. {obedient(messages)}"[:3000]
        asked = " ".join(message["content"] for message in messages)
        if '{"certainty"' in asked:
            return json.dumps({"certainty": 100})
        if '"verdict": "supported"' in asked:
            return json.dumps({"analysis": text, "verdict": "supported"})
        if '{"search"' in asked:
            return json.dumps({"search": text[:250]})
        if '{"questions"' in asked:
            return json.dumps({"questions": [f"{one.strip('.!')}?"[:400] for one in text.split(". ")][:20]})
        field = re.search(r'\{"(\w+)": "', asked)
        return json.dumps({field.group(1): text}) if field else text

    return reply


def check_parts(result: Result) -> None:
    """What the parts of an answer must hold, whatever the system: known citations, quotes of honest stories alone."""
    numbers = {reference.number for reference in result.references}
    for section in result.sections:
        written = " ".join([section.text, *section.lines])
        assert {int(number) for number in re.findall(r"Doc\[(\d+)\]", written)} | set(section.numbers) <= numbers
    honest = {fold(story["body"]).text for story in stories().values()}
    for reference in result.references:
        for quote in reference.quotes:
            assert any(fold(quote.text).text in body for body in honest), quote.text


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_no_system_is_taken_in(engines, system: str, case: Case) -> None:
    result = engines["extractive"].run(system, request_of(system, case))
    check_form(result)
    check_parts(result)


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_no_system_passes_on_what_a_model_obeyed(engines, obeying_server, system: str, case: Case) -> None:
    obeying_server.replies = [obeys_in_form(case)]
    result = engines["references"].run(system, request_of(system, case))
    check_form(result)
    check_parts(result)
    if result.verdict is Verdict.VERIFIED:  # then by its evidence alone: no word of the model made it so
        assert engines["extractive"].run(system, request_of(system, case)).verdict is Verdict.VERIFIED, result.answer


@pytest.mark.slow
@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("kind", sorted({case.kind for case in CASES}))
def test_no_system_is_taken_in_by_any_case(engines, system: str, kind: str) -> None:
    for case in [one for one in CASES if one.kind == kind]:
        result = engines["extractive"].run(system, request_of(system, case))
        check_form(result)
        check_parts(result)
