"""The face: sorted, complete, documented, and cheap to import."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import chainrules as cr

HEAVY = {
    "autograd",
    "hypothesis",
    "jax",
    "matplotlib",
    "pandas",
    "pytensor",
    "pytest",
    "scipy",
    "sklearn",
    "torch",
}


def run(*arguments: str) -> str:
    """What a fresh interpreter prints, with warnings as errors."""
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_all_is_sorted() -> None:
    assert cr.__all__ == sorted(set(cr.__all__))


def test_all_is_what_the_face_binds() -> None:
    assert cr.__file__ is not None
    bound: set[str] = set()
    for node in ast.parse(Path(cr.__file__).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            assert all(alias.asname == alias.name for alias in node.names), f"line {node.lineno}: x as x"
            bound.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            bound.update(target.id for target in node.targets if isinstance(target, ast.Name))
    assert bound - {"__all__"} == set(cr.__all__)
    assert all(hasattr(cr, name) for name in cr.__all__)


@pytest.mark.parametrize("name", [name for name in cr.__all__ if name != "__version__"])
def test_public_names_are_documented(name: str) -> None:
    value = getattr(cr, name)
    own = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
    assert own, f"{name} has no docstring"
    if inspect.isclass(value):
        methods = {key: m for key, m in vars(value).items() if inspect.isfunction(m) and key[0] != "_"}
        assert not [key for key, method in methods.items() if not method.__doc__]


def test_importing_the_face_pulls_in_nothing_heavy() -> None:
    loaded = run(
        "-c", "import chainrules, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    ).split()
    assert not HEAVY & set(loaded)


def test_running_the_package_prints_its_version_first() -> None:
    assert run("-m", "chainrules").splitlines()[0] == f"chainrules {cr.__version__}"
