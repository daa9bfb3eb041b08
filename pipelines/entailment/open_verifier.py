"""The verifier that the settings name."""

from core.errors import ConfigError
from core.settings import Settings
from models.calibration import Calibration
from models.evidence import EvidenceModel
from pipelines.contracts.generator import Generator
from pipelines.contracts.verifier import CHAT, Verifier
from pipelines.entailment.chat_label import ChatLabelVerifier
from pipelines.entailment.shipped import ShippedVerifier


def open_verifier(
    settings: Settings, model: EvidenceModel, calibration: Calibration, *, generator: Generator | None
) -> Verifier:
    """
    Return what the settings name: a Hugging Face cross-encoder, the chat model (`chat`), else the shipped model.

    :param model: The reader's model; shared, so that it is loaded once.
    :param generator: The chat model of the settings; None: there is none.
    :raises ConfigError: If the chat model is to judge, and there is none.
    """
    if settings.verifier_model == CHAT:
        if generator is None:
            raise ConfigError(
                "verifier_model is 'chat', and generator is extractive",
                field="verifier_model",
                hint="Set LOOKSY_GENERATOR=openai, or leave verifier_model out.",
            )
        return ChatLabelVerifier(generator, settings)
    if settings.verifier_model:
        from pipelines.entailment.cross_encoder import CrossEncoderVerifier

        return CrossEncoderVerifier(settings.verifier_model)
    return ShippedVerifier(model, calibration)
