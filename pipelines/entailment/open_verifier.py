"""The verifier that the settings name."""

from pathlib import Path

from core.errors import ConfigError
from core.paths import MODELS
from core.settings import Settings
from models.calibration import Calibration
from models.evidence import EvidenceModel
from models.registry import GRAPH
from pipelines.contracts.generator import Generator
from pipelines.contracts.verifier import CHAT, SHIPPED, SMALL, Verifier
from pipelines.entailment.cascade import CascadeVerifier
from pipelines.entailment.chat_label import ChatLabelVerifier
from pipelines.entailment.shipped import ShippedVerifier

SHIPPED_JUDGE_MODEL = MODELS / "judge-mpnet"


def open_verifier(
    settings: Settings, model: EvidenceModel, calibration: Calibration, *, generator: Generator | None
) -> Verifier:
    """
    Return what the setting `judge` names.

    That is the reader's model alone (`small`), a judge behind it (`shipped`, or a folder with `model.onnx`), the chat
    model (`chat`), or else a Hugging Face cross-encoder.

    :param model: The reader's model; shared, so that it is loaded once.
    :param generator: The chat model of the settings; None: there is none.
    :raises ConfigError: If the chat model is to judge, and there is none.
    """
    if settings.judge == CHAT:
        if generator is None:
            raise ConfigError(
                "judge is 'chat', and generator is extractive",
                field="judge",
                hint="Set LOOKSY_GENERATOR=openai, or leave judge out.",
            )
        return ChatLabelVerifier(generator, settings)
    first = ShippedVerifier(model, calibration)
    if settings.judge == SMALL:
        return first
    folder = SHIPPED_JUDGE_MODEL if settings.judge == SHIPPED else Path(settings.judge)
    if (folder / GRAPH).is_file():
        return CascadeVerifier(first, EvidenceModel(folder, threads=settings.threads))
    if settings.judge == SHIPPED:
        return first
    from pipelines.entailment.cross_encoder import CrossEncoderVerifier

    return CrossEncoderVerifier(settings.judge)
