import pytest

from pipelines.claims.verbs import verb_forms

lemminflect = pytest.importorskip("lemminflect", reason="needs: pip install 'looksy[dev]'")
MORE_THAN_ONE = {"broadcast": "broadcast", "fit": "fitted", "forecast": "forecast", "outsell": "outsold"}
"""Past forms that are right, beside the one that the library gives."""


def test_forms_of_the_listed_verbs_are_those_of_a_dictionary():
    forms = verb_forms()
    for base in sorted(forms.bases):
        if known := lemminflect.getInflection(base, "VBD"):
            assert forms.past_of(base) in {*known, MORE_THAN_ONE.get(base)}
        if known := lemminflect.getInflection(base, "VBZ"):
            assert forms.third_of(base) in known
