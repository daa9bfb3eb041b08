import pytest

from core.settings import Settings
from evaluation.runs.fingerprints import hash_models


@pytest.mark.parametrize(
    "setting", ["reader_model", "judge", "embedder_model", "generator_model", "generator_fallback_model"]
)
@pytest.mark.parametrize("by_name", [False, True])
def test_a_pulled_models_revision_is_in_the_fingerprint(tmp_path, setting, by_name):
    folder = tmp_path / "models" / "owner--model"
    folder.mkdir(parents=True)
    chosen = Settings(data_dir=tmp_path, **{setting: "owner/model" if by_name else str(folder)})
    before = hash_models(chosen)
    (folder / "PULLED.json").write_text('{"revision": "1"}')
    first = hash_models(chosen)
    (folder / "PULLED.json").write_text('{"revision": "2"}')
    assert len({before, first, hash_models(chosen)}) == 3
    assert hash_models(Settings(data_dir=tmp_path)) == before
