"""Folders, links, build tables and guards say the same; imports run one way; no file outgrows one idea."""

import ast
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("tangents", "core", "rules", "engines")  # each may import itself and those to its left
SEES = {part: LAYERS[: rank + 1] for rank, part in enumerate(LAYERS)} | {
    "types": ("tangents", "core", "types"),
    "engines": (*LAYERS, "types"),
    "testing": ("tangents", "core", "types", "testing"),
}
FOLDERS = {part: part for part in SEES} | {"types": "usertypes"}  # `types` at the top would be Python's own
PARTS = {folder: part for part, folder in FOLDERS.items()}
FACE = [f"src/{name}" for name in ("chainrules/__init__.py", "chainrules/__main__.py", "chainrules/py.typed")]
FACE.append("src/pytest_chainrules.py")  # outside the package, so that pytest can start without importing it
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = CONFIG["tool"]["hatch"]["build"]["targets"]
PART_FILES = [path for folder in PARTS for path in sorted((ROOT / folder).rglob("*.py"))]
CODE_FOLDERS = sorted({path.parent.name for path in ROOT.glob("[a-z]*/*.py")})


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("part", SEES)
def test_a_part_refuses_to_be_imported_bare(part: str) -> None:
    spec = importlib.util.spec_from_file_location(FOLDERS[part], ROOT / FOLDERS[part] / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(ImportError, match=rf"chainrules\.{part}"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def test_every_part_has_its_link_and_every_link_its_part() -> None:
    links = {path.name: path for path in (ROOT / "src" / "chainrules").iterdir() if path.suffix == ""}
    links.pop("__pycache__", None)
    assert set(links) == set(SEES)
    for part, link in links.items():
        assert link.is_symlink(), (
            f"{link} is not a link: git config core.symlinks true, then git checkout src"
        )
        assert link.readlink().as_posix() == f"../../{FOLDERS[part]}"


def test_every_package_at_the_top_is_a_part() -> None:
    assert {path.parent.name for path in ROOT.glob("[a-z]*/__init__.py")} == set(PARTS)
    assert not PARTS.keys() & sys.stdlib_module_names, "a folder at the top would hide a module of Python"


def test_every_folder_of_modules_is_a_package() -> None:
    bare = {name_of(path.parent) for path in PART_FILES if not (path.parent / "__init__.py").exists()}
    assert not bare


def test_build_tables_name_every_part() -> None:
    assert sorted(BUILD["wheel"]["only-include"]) == sorted([*FACE, *PARTS])
    assert set(BUILD["sdist"]["only-include"]) >= {*FACE, *PARTS, "tests"}
    assert BUILD["wheel"]["sources"] == {"src": ""} | {
        folder: f"chainrules/{part}" for folder, part in PARTS.items()
    }


def test_checkers_see_all_the_code() -> None:
    tools = CONFIG["tool"]
    assert set(tools["mypy"]["files"]) == {"src", *CODE_FOLDERS} - set(PARTS)
    assert set(tools["pyright"]["include"]) >= {"src/chainrules/__init__.py", *PARTS}


def test_every_news_fragment_has_a_known_kind() -> None:
    kinds = {entry["directory"] for entry in CONFIG["tool"]["towncrier"]["type"]}
    fragments = [path.name for path in (ROOT / "news").iterdir() if path.name != "README.md"]
    wrong = [name for name in fragments if (m := re.fullmatch(r"\+[a-z0-9-]+\.([a-z-]+)\.md", name)) is None
             or m[1] not in kinds]  # fmt: skip
    assert not wrong, f"expected news/+<what-changed>.<kind>.md with a kind of {sorted(kinds)}"


def imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """(line, part of chainrules or "the face") for each import of the project by a module of `package`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ("chainrules", *package)[: len(package) + 2 - node.level] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            targets = [(*base, alias.name) for alias in node.names]
        else:
            continue
        for target in targets:
            if target[0] == "chainrules":
                yield node.lineno, target[1] if len(target) > 1 and target[1] in SEES else "the face"


def upward(source: str, path: str) -> list[str]:
    """One sentence for each import in `source`, the file at `path`, that looks up."""
    folder, *below = path.split("/")[:-1]
    package = (PARTS[folder], *below)
    return [
        f"{path}:{line} imports {part}: {package[0]} may not look up to {part}"
        for line, part in imported(ast.parse(source), package)
        if part not in SEES[package[0]]
    ]


def test_imports_run_one_way() -> None:
    assert not [s for path in PART_FILES for s in upward(path.read_text(encoding="utf-8"), name_of(path))]


def rooms_imported(room: Path) -> set[str]:
    """The folders beside `room` that its modules import."""
    return {
        node.module.split(".")[0]
        for path in room.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level == 2 and node.module
    } & {p.parent.name for p in room.parent.glob("*/__init__.py")}


@pytest.mark.parametrize("name", ["source", "specialised"])
def test_the_folders_of_an_engine_stand_in_order(name: str) -> None:
    engine = ROOT / "engines" / name
    said = ast.get_docstring(ast.parse((engine / "__init__.py").read_text(encoding="utf-8"))) or ""
    order = re.findall(r"^- `(\w+)`", said, re.MULTILINE)
    assert sorted(order) == sorted(p.parent.name for p in engine.glob("*/__init__.py"))
    for rank, room in enumerate(order):
        assert rooms_imported(engine / room) <= set(order[:rank]), f"{room} looks up"


@pytest.mark.parametrize(
    ("path", "line", "looks_up"),
    [
        ("tangents/a.py", "from ..core import rrule", True),
        ("tangents/a.py", "from .zeros import Zero", False),
        ("core/a.py", "from ..tangents.zeros import Zero", False),
        ("core/a.py", "def f():\n    from .. import engines", True),
        ("core/a.py", "from .. import grad", True),
        ("core/a.py", "import chainrules.rules.numpy", True),
        ("core/a.py", "from chainrules import grad", True),
        ("rules/numpy/a.py", "from ...core import rrule", False),
        ("rules/numpy/a.py", "from ...engines import grad", True),
        ("rules/numpy/a.py", "from .core import thing", False),
        ("usertypes/a.py", "from ..core import rrule", False),
        ("usertypes/a.py", "from ..engines import grad", True),
        ("rules/a.py", "from ..types import manifolds", True),
        ("engines/a.py", "from ..types import declared", False),
        ("testing/a.py", "from ..rules import numpy", True),
        ("testing/a.py", "from ..core import reverse", False),
        ("engines/a.py", "from ..testing import check_rule", True),
    ],
)
def test_the_arrow_test_sees(path: str, line: str, looks_up: bool) -> None:
    assert bool(upward(line, path)) is looks_up


def circles(part: str) -> set[str]:
    """The modules between which imports run in a circle, at the top or inside a function."""
    sources = {
        name_of(path)[:-3].replace("/", "."): path
        for path in PART_FILES
        if name_of(path).startswith(f"{part}/")
    }
    seen: dict[str, set[str]] = {name: set() for name in sources}
    for name, path in sources.items():
        package = name.split(".")[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = package[: len(package) - node.level + 1] + (node.module or "").split(".")
                below = (".".join(filter(None, [*base, alias.name])) for alias in node.names)
                seen[name].update({".".join(filter(None, base)), *below} & sources.keys() - {name})
    while True:  # what imports nothing that is left, or is imported by nothing, is in no circle
        ends = {name for name, others in seen.items() if not others}
        ends |= seen.keys() - set().union(*seen.values())
        if not ends:
            return set(seen)
        seen = {name: others - ends for name, others in seen.items() if name not in ends}


@pytest.mark.parametrize("part", PARTS)
def test_no_modules_import_one_another_in_a_circle(part: str) -> None:
    assert not circles(part)


def test_parts_import_one_another_relatively() -> None:
    absolute = re.compile(r"^\s*(import|from) chainrules\b", re.MULTILINE)
    assert not [name_of(path) for path in PART_FILES if absolute.search(path.read_text(encoding="utf-8"))]


def test_no_file_is_longer_than_400_lines() -> None:
    files = [*(ROOT / "src" / "chainrules").glob("*.py"), *PART_FILES]
    files += [
        path for folder in CODE_FOLDERS if folder not in PARTS for path in (ROOT / folder).rglob("*.py")
    ]
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert not {name: length for name, length in lengths.items() if length > 400}
