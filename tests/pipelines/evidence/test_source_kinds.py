import pytest

from pipelines.evidence.source_kinds import source_kind
from tests.sample_articles import make_article


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"section": "Opinion"}, "an opinion piece"),
        ({"section": "News / Comment"}, "an opinion piece"),
        ({"section": "Satire"}, "satire"),
        ({"section": "Letters to the editor"}, "a reader's letter"),
        ({"section": "Sponsored content"}, "sponsored text"),
        ({"url": "https://paper.example/opinion/2024/tram"}, "an opinion piece"),
        ({"headline": "Letters: The tram is late"}, "a reader's letter"),
        ({"headline": "Sponsored: A better bank"}, "sponsored text"),
        ({"section": "Politics"}, ""),
        ({"url": "https://paper.example/news/opinion-polls-tighten"}, ""),
        ({"headline": "Opinion polls tighten"}, ""),
    ],
)
def test_section_address_and_label_tell_what_never_verifies(fields, kind):
    article = make_article("tram", headline=fields.get("headline", "Tram opens"))
    assert source_kind(article.model_copy(update=fields)) == kind
