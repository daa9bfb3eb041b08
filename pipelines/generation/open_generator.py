"""The generator that the settings name."""

from core.keys import header_key
from core.settings import ENV_PREFIX, GeneratorKind, Settings
from pipelines.contracts.generator import Generator
from pipelines.generation.llama_server import LlamaServerGenerator
from pipelines.generation.openai_compatible import OpenAICompatibleGenerator
from pipelines.generation.token_count import TokenCounter, tokenizer_file


def open_generator(settings: Settings, kind: GeneratorKind, *, second: bool = False) -> Generator | None:
    """
    Make a chat model; nothing is loaded or asked yet.

    :param second: The one to fall back on: another server where the settings name one.
    :returns: None for the extractive generator, which is not a chat model.
    :raises ConfigError: If a setting that it needs is missing, or is not an address or key.
    """
    if kind is GeneratorKind.EXTRACTIVE:
        return None
    url = (settings.generator_fallback_url if second else None) or settings.generator_url
    model = (settings.generator_fallback_model if second else None) or settings.generator_model
    if kind is GeneratorKind.TRANSFORMERS:
        from pipelines.generation.local import LocalGenerator

        return LocalGenerator(model=model, data_dir=settings.data_dir)
    if kind is GeneratorKind.LLAMA_CPP:
        return LlamaServerGenerator(
            model=model,
            data_dir=settings.data_dir,
            context_tokens=settings.generator_context_tokens,
            timeout_s=settings.generator_timeout,
        )
    field = "generator_api_key" if url == settings.generator_url else "generator_fallback_api_key"
    return OpenAICompatibleGenerator(
        url=url,
        model=model,
        api_key=header_key(getattr(settings, field), field=field),
        key_variable=f"{ENV_PREFIX}{field.upper()}",
        timeout_s=settings.generator_timeout,
        retries=settings.generator_retries,
        in_flight=settings.generator_in_flight,
        counter=TokenCounter(tokenizer_file(model, data_dir=settings.data_dir) if model else None),
    )
