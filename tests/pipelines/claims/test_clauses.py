import json

from core.paths import DATASETS
from pipelines.claims.clauses import split_sentence

SPLITS = [json.loads(line) for line in (DATASETS / "claims" / "splits.jsonl").read_text(encoding="utf-8").splitlines()]


def test_no_part_is_made_of_half_a_clause():
    wrong = [row for row in SPLITS if row["wrong"]]
    assert len(wrong) == 12
    for row in wrong:
        assert [part.text for part in split_sentence(row["text"])] != row["parts_before"]
        assert len(split_sentence(row["text"])) <= len(row["parts_before"])
