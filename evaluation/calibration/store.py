"""Put fitted parameters beside the model that they are for."""

import json
from pathlib import Path

from core.files import replacing
from models.calibration import FILE, UNCALIBRATED, AnswerWeights, RelationWeights, VerdictThresholds, load_calibration

_PARTS = (("answer", AnswerWeights), ("relation", RelationWeights), ("statement", VerdictThresholds))


def store_fit(folder: Path, fitted: AnswerWeights | RelationWeights | VerdictThresholds) -> Path:
    """
    Replace one part of a model's calibration; the others stay.

    :param folder: The model's folder. Without a calibration, the other parts start with scores as they are.
    :returns: The file.
    :raises ModelError: If the file that is there is broken.
    """
    found = load_calibration(folder)
    method = f"{folder.name}/1" if found is UNCALIBRATED else found.method
    part = next(name for name, kind in _PARTS if isinstance(fitted, kind))
    path = folder / FILE
    changed = found.model_copy(update={"method": method, part: fitted})
    with replacing(path) as new:
        new.write_text(json.dumps(changed.model_dump(mode="json"), indent=2) + "\n", encoding="utf-8")
    return path
