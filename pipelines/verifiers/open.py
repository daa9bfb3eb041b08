"""The verifier that the settings name."""

from core.settings import Settings
from models.calibration import Calibration
from models.evidence import EvidenceModel
from pipelines.verifiers.contract import Verifier
from pipelines.verifiers.shipped import ShippedVerifier


def open_verifier(settings: Settings, model: EvidenceModel, calibration: Calibration) -> Verifier:
    """
    Return a Hugging Face cross-encoder if the settings name one, else the shipped model.

    :param model: The reader's model; shared, so that it is loaded once.
    """
    if settings.verifier_model:
        from pipelines.verifiers.cross_encoder import CrossEncoderVerifier  # noqa: PLC0415 - an extra

        return CrossEncoderVerifier(settings.verifier_model)
    return ShippedVerifier(model, calibration)
