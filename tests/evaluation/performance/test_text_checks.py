"""The rate of checking a text, on a small corpus."""

from core.paths import SAMPLE
from evaluation.data.formats.claims import read_claims
from evaluation.performance.text_checks import measure, speech
from tests.pipelines.systems.articles import BRIDGE, open_engine

TEXT = (
    "Good evening, friends! The repairs of the Osterholm bridge cost 95 million crowns. What a day this is! "
    "Lena Voss led the Harbour Company in 2020. The repairs of the Osterholm bridge cost 48 million crowns."
)


def test_a_speech_is_as_long_as_it_should_be():
    text = speech(300)
    assert 300 <= len(text.split()) < 400
    assert sum(one.text in text for one in read_claims(SAMPLE / "retold.jsonl")) > 10
    assert text == speech(300)


def test_rate_and_shares_are_of_the_claims_that_were_judged(tmp_path):
    engine = open_engine(tmp_path, BRIDGE)
    rate = measure(engine, TEXT, single=2)
    engine.close()
    assert rate.claims == 3
    assert rate.claims_per_minute > 0
    assert all(times > 0 for times in rate.times_faster)
    assert abs(sum(rate.shares.values()) - 1) < 1e-6
    assert {"retrieve", "read", "check"} <= set(rate.shares)
