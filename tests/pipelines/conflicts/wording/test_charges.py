"""What somebody was convicted of, and what cleared of."""

import pytest

from tests.pipelines.conflicts.found_kinds import kinds

MIXED = "A jury at Leeds convicted former nurse Helen Marsh of manslaughter on Friday but cleared her of murder."
PLEA = "Former officer Dale Rudd pleaded guilty to perjury on Thursday and not guilty to assault."


@pytest.mark.parametrize(
    ("statement", "sentence", "expected"),
    [
        ("Helen Marsh was convicted of manslaughter.", MIXED, set()),
        ("Helen Marsh was cleared of murder.", MIXED, set()),
        ("Helen Marsh was convicted of murder.", MIXED, {"exchange"}),
        ("A jury found Helen Marsh guilty of murder.", MIXED, {"exchange"}),
        ("Helen Marsh was cleared of manslaughter.", MIXED, {"exchange"}),
        ("Helen Marsh was found not guilty of manslaughter.", MIXED, {"exchange"}),
        ("Hale was acquitted of fraud.", "Hale was found guilty of fraud and acquitted of bribery.", {"exchange"}),
        ("Hale was convicted of fraud.", "Hale was found guilty of fraud and acquitted of bribery.", set()),
        ("Petrov was convicted of murder.", "Petrov was not guilty of murder but guilty of homicide.", {"exchange"}),
        ("Petrov was convicted of homicide.", "Petrov was not guilty of murder but guilty of homicide.", set()),
        ("Petrov was convicted of murder.", "Petrov denied murder, but was convicted of murder.", set()),
        ("Dale Rudd pleaded guilty to perjury.", PLEA, set()),
        ("Dale Rudd pleaded guilty to assault.", PLEA, {"exchange", "negation"}),
        ("Dale Rudd pleaded not guilty to perjury.", PLEA, {"exchange", "negation"}),
        ("She admitted murder.", "She denied murder but admitted manslaughter.", {"exchange"}),
        ("Lima was acquitted of fraud.", "Lima still faces a separate trial for fraud.", {"open"}),
        ("Lima was acquitted of fraud.", "Lima was cleared of fraud.", set()),
    ],
)
def test_each_charge_has_its_own_outcome(statement, sentence, expected):
    assert kinds(statement, sentence) == expected
