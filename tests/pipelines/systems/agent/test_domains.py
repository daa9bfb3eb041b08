"""A domain that is blocked or allowed is the same in whichever form it is written."""

import pytest

from core.errors import InputError
from pipelines.systems.agent.backends.domains import is_under, read_domains
from pipelines.systems.agent.credibility import SourceGrades, grade_of


@pytest.mark.parametrize(
    "written", ["b\u00fccher.example", "B\u00dcCHER.example", "www.b\u00fccher.example", "xn--bcher-kva.example"]
)
@pytest.mark.parametrize("asked", ["https://news.b\u00fccher.example/a", "https://xn--bcher-kva.example/a"])
def test_international_domain_in_either_form(written: str, asked: str) -> None:
    domains = read_domains(written, field="block")
    assert domains == ("xn--bcher-kva.example",)
    assert is_under(asked, domains)
    assert grade_of(asked, SourceGrades(domains=dict.fromkeys(domains, 0.2))).value == 0.2


@pytest.mark.parametrize("asked", ["https://buecher.example/a", "https://xbcher-kva.example/a", "https://example/a"])
def test_other_domains_are_not_under_it(asked: str) -> None:
    assert not is_under(asked, read_domains("b\u00fccher.example", field="block"))


@pytest.mark.parametrize(
    "written", ["b\u00fccher", "a_\u00fc.example", "-\u00fc.example", "https://b\u00fccher.example"]
)
def test_what_is_no_domain_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="is not a domain"):
        read_domains(written, field="block")
