"""The direction of imports (docs/architecture.md), what packages show, and what the default profile loads."""

import ast
import importlib
import subprocess
import sys
import tomllib
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


def test_modules_form_no_circle_by_imports_within_functions_either() -> None:
    paths = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    left: dict[str, set[str]] = {}
    for name, path in names.items():
        found = {one if one in names else one.rpartition(".")[0] for one in imported_modules(path)}
        left[name] = found & names.keys() - {name}
    while free := [name for name, found in left.items() if not found & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"these import each other: {sorted(left)}"


def test_the_root_of_pipelines_has_three_files() -> None:
    files = {path.name for path in (ROOT / "pipelines").glob("*.py")}
    assert files == {"__init__.py", "engine.py", "pipeline_file.py", "resources.py"}


def room_of(module: str) -> str:
    """Return the room of a module: a folder of its package, or of `systems`; for a file of the root, the package."""
    parts = module.split(".")
    depth = 3 if parts[:2] == ["pipelines", "systems"] else 2
    while not ROOT.joinpath(*parts[:depth]).is_dir():
        depth -= 1
    return ".".join(parts[:depth])


def is_public(room: str, rest: list[str], name: str) -> bool:
    """
    Say whether a room's `__init__` names something, or the module or folder in which it is.

    :param rest: Path from the room to the module that is imported from.
    """
    public = importlib.import_module(room).__all__
    if not rest or name in public:
        return name in public
    if rest[0] not in public:
        return False
    inner = f"{room}.{rest[0]}"
    return not ROOT.joinpath(*inner.split(".")).is_dir() or is_public(inner, rest[1:], name)


def foreign_imports() -> Iterator[tuple[Path, str, str]]:
    """Yield file, module and name of each import from another package, or from another room of `pipelines`."""
    for package in MAY_IMPORT:
        for path in sorted((ROOT / package).rglob("*.py")):
            own = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
                top = module.split(".")[0]
                if top in MAY_IMPORT and (top != package or (top == "pipelines" and room_of(module) != own)):
                    yield from ((path, module, alias.name) for alias in node.names)


def test_packages_and_rooms_import_what_the_others_name_as_public() -> None:
    wrong = []
    for path, module, name in foreign_imports():
        room = room_of(module)
        if not is_public(room, module.removeprefix(room).split(".")[1:], name):
            stub = "/".join([*room.split("."), "__init__.pyi"])
            wrong.append(f"{path.relative_to(ROOT)}: {module}.{name} is not public; {stub} would name it")
    assert not wrong, "\n".join(wrong)


def test_what_a_package_names_is_there_and_is_what_its_module_holds() -> None:
    for stub in sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("__init__.pyi")):
        package = ".".join(stub.parent.relative_to(ROOT).parts)
        shown = importlib.import_module(package)
        for node in ast.parse(stub.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                holder = importlib.import_module(f"{package}.{node.module}")
                for alias in node.names:
                    assert getattr(shown, alias.name) is getattr(holder, alias.name)
        assert all(hasattr(shown, name) for name in shown.__all__)


def test_the_check_sees_a_name_that_is_not_public() -> None:
    assert is_public("pipelines.retrieval", ["bm25"], "Bm25Retriever")
    assert is_public("pipelines.conflicts", ["names", "names"], "mentions")
    assert not is_public("pipelines.retrieval", ["bm25"], "StoreRetriever")
    assert not is_public("pipelines.conflicts", ["names", "roles"], "role_conflicts")


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


def late_arguments(source: str) -> Iterator[str]:
    """Yield where a class asserts one of its constructor's arguments, or a component sets one after construction."""
    for made in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)):
        is_component = "component" in map(ast.unparse, made.decorator_list)
        methods = [node for node in made.body if isinstance(node, ast.FunctionDef)]
        init = next((node for node in methods if node.name == "__init__"), None)
        given = {one.arg for one in [*init.args.args, *init.args.kwonlyargs]} if init else set()
        for node in (node for method in methods for node in ast.walk(method)):
            held = [one for one in ast.walk(node) if isinstance(one, ast.Attribute) and one.attr in given]
            mine = [one for one in held if isinstance(one.value, ast.Name) and one.value.id == "self"]
            if isinstance(node, ast.Assert) and mine:
                yield f"{made.name} asserts {mine[0].attr}"
        for node in (node for method in methods if method is not init for node in ast.walk(method)):
            is_mine = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
            if is_component and is_mine and isinstance(node.ctx, ast.Store) and node.attr in given:
                yield f"{made.name} sets {node.attr} after construction"


def test_what_a_class_needs_is_an_argument_that_nobody_asserts_or_sets_later() -> None:
    paths = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    assert [f"{path.name}: {late}" for path, source in sources.items() for late in late_arguments(source)] == []
    wrong = (
        "@component\nclass A:\n def __init__(self, store): self.store = store\n"
        " def run(self):\n  assert self.store\n  self.store = 1"
    )
    assert list(late_arguments(wrong)) == ["A asserts store", "A sets store after construction"]


def test_a_run_has_one_context_variable_in_all_of_pipelines() -> None:
    paths = sorted((ROOT / "pipelines").rglob("*.py"))
    made = [path.relative_to(ROOT).as_posix() for path in paths if "ContextVar(" in path.read_text(encoding="utf-8")]
    assert made == ["pipelines/runs/context.py"]
    assert (ROOT / made[0]).read_text(encoding="utf-8").count("ContextVar(") == 1


def test_the_wheel_holds_the_stubs_and_no_training() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert "*.pyi" in tools["package-data"]["*"]
    assert {pattern.rstrip("*") for pattern in tools["packages"]["find"]["include"]} == {*MAY_IMPORT, "configs"} - {
        "training"
    }
