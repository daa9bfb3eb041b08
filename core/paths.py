"""Where the files that ship with Looksy lie: beside the packages, in a checkout and in an installed wheel alike."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONFIGS = ROOT / "configs"
MODELS = ROOT / "models"
CHAT_TEMPLATE = CONFIGS / "chat_templates" / "vicuna-v1.5.jinja"
"""For chat models whose tokenizer has none: that of Vicuna v1.5."""
DATASETS = ROOT / "evaluation" / "datasets"
SAMPLE = DATASETS / "sample"
"""The bundled sample corpus: articles, questions, statements, relevance expressions, licences."""
