"""The direction of imports (DESIGN §2), and what the default profile must not load."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.paths import ROOT

EVERYONE = {"core"}
MAY_IMPORT = {
    "core": set(),
    "models": EVERYONE,
    "scraper": EVERYONE,
    "indexing": EVERYONE | {"models"},
    "pipelines": EVERYONE | {"models", "indexing.stores", "indexing.embedders"},
    "evaluation": EVERYONE | {"models", "scraper", "indexing", "pipelines"},
    "training": EVERYONE | {"models", "scraper", "indexing", "pipelines", "evaluation"},
    "service": EVERYONE | {"models", "scraper", "indexing", "pipelines", "evaluation"},
}
HEAVY = ("torch", "transformers", "scipy", "sklearn", "ray", "elasticsearch")
DEFAULT_PROFILE_MODULES = (
    "scraper.crawling.crawl",
    "scraper.extraction.extract",
    "indexing.job",
    "indexing.stores.open",
    "pipelines.engine",
    "service.cli.main",
    "service.app",
)


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by full name, not relatively"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


def is_allowed(importer: str, imported: str) -> bool:
    allowed = MAY_IMPORT[importer] | {importer}
    return any(imported == name or imported.startswith(f"{name}.") for name in allowed)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_what_the_design_allows(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for module in imported_modules(path)
        if module.split(".")[0] in MAY_IMPORT and not is_allowed(package, module)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_check_sees_a_wrong_import() -> None:
    assert not is_allowed("scraper", "indexing.job")
    assert not is_allowed("pipelines", "indexing.job")
    assert is_allowed("pipelines", "indexing.stores.open")
    assert not is_allowed("core", "models.evidence")


def rooms() -> dict[str, set[str]]:
    """Return each room of `pipelines` with those that it imports; a file of the root is a room of its own."""
    root = ROOT / "pipelines"
    found: dict[str, set[str]] = {}
    for path in sorted(root.rglob("*.py")):
        own = path.relative_to(root).with_suffix("").parts[0]
        names = (module.split(".") for module in imported_modules(path))
        imported = {name[1] for name in names if name[0] == "pipelines" and len(name) > 1}
        found.setdefault(own, set()).update(imported - {own})
    return found


def test_no_room_imports_a_system_and_the_engine_alone_opens_the_resources() -> None:
    found = rooms()
    assert {room for room, imported in found.items() if "systems" in imported} <= {"engine"}
    assert {room for room, imported in found.items() if "resources" in imported} <= {"engine"}


def test_rooms_form_no_circle() -> None:
    left = {room: set(imported) for room, imported in rooms().items()}
    while free := [room for room, imported in left.items() if not imported & left.keys()]:
        for room in free:
            del left[room]
    assert not left, f"these import each other: {left}"


def test_the_root_of_pipelines_has_three_files() -> None:
    files = {path.name for path in (ROOT / "pipelines").glob("*.py")}
    assert files == {"__init__.py", "engine.py", "pipeline_file.py", "resources.py"}


def run_python(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=cwd, check=False)


def test_default_profile_never_loads_heavy_libraries(tmp_path: Path) -> None:
    code = (
        "import importlib, sys\n"
        f"for name in {DEFAULT_PROFILE_MODULES}: importlib.import_module(name)\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_importing_touches_neither_network_nor_disk(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "def watch(event, args):\n"
        "    if event in ('socket.connect', 'socket.bind', 'socket.getaddrinfo'): raise RuntimeError(event)\n"
        "    if event == 'open' and isinstance(args[1], str) and set(args[1]) & set('wax+'):\n"
        "        if '__pycache__' not in str(args[0]): raise RuntimeError(f'{event} {args}')\n"
        "    if event in ('os.mkdir', 'os.remove', 'os.rename', 'sqlite3.connect'):\n"
        "        if '__pycache__' not in str(args[0]): raise RuntimeError(f'{event} {args}')\n"
        "sys.addaudithook(watch)\n"
        "import importlib\n"
        f"for name in {DEFAULT_PROFILE_MODULES}: importlib.import_module(name)\n"
    )
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not list(tmp_path.iterdir())
