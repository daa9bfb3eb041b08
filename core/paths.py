"""Where the files that ship with Looksy lie: beside the packages, in a checkout and in an installed wheel alike."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONFIGS = ROOT / "configs"
MODELS = ROOT / "models"
SAMPLE = ROOT / "evaluation" / "datasets" / "sample"
"""The bundled sample corpus: articles, questions, statements, relevance expressions, licences."""
