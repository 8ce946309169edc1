"""The data files: the public callables of a library by what they are, and the gaps that are declared."""

from __future__ import annotations

import functools
import inspect
import tomllib
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any

REASONS = {
    "discrete": "its values are truth values, indices, counts or steps",
    "creation": "its arguments are sizes",
    "other": "a type, a setting, text, or input and output",
}
"""Why the callables of these kinds have no derivative; those of the kind `differentiable` have one."""


@functools.cache
def _table(name: str) -> dict[str, Any]:
    file = files(__package__).joinpath(f"{name}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def kinds(module: str) -> dict[str, tuple[str, str]]:
    """(module, kind) of each callable of a module and what is below it, by dotted name; empty where unknown.

    Example: >>> kinds("numpy.fft")["numpy.fft.fftfreq"]
             ('numpy.fft', 'creation')
    """
    parts = _table(module.partition(".")[0])
    inside = {m: named for m, named in parts.items() if m == module or m.startswith(f"{module}.")}
    return {
        f"{m}.{name}": (m, kind)
        for m, named in inside.items()
        for kind, names in named.items()
        for name in names.split()
    }


def gaps(library: str) -> dict[str, str]:
    """The differentiable functions of a library that are declared to have no rules, with the reasons.

    They stand in `gaps/`, a file for each library or part of one.
    """
    declared: dict[str, str] = {}
    for file in sorted(files(__package__).joinpath("gaps").iterdir(), key=lambda file: file.name):
        if file.name.partition(".")[0] == library:
            declared |= tomllib.loads(file.read_text(encoding="utf-8"))
    return declared


def public(module: ModuleType) -> dict[str, Any]:
    """The callables that a module offers, types of errors aside, by name."""
    offered = getattr(module, "__all__", None)
    root = module.__name__.partition(".")[0]
    found: dict[str, Any] = {}
    for name in sorted(vars(module) if offered is None else set(offered)):
        value = getattr(module, name, None)
        if name.startswith("_") or not callable(value) or isinstance(value, ModuleType):
            continue
        own = offered is not None or str(getattr(value, "__module__", root)).partition(".")[0] == root
        if own and not (inspect.isclass(value) and issubclass(value, BaseException)):
            found[name] = value
    return found


def named(name: str) -> Any:
    """What stands at a dotted name, however deep: modules, then attributes.

    Raises:  AttributeError where nothing does, ModuleNotFoundError where no part is a module.
    Example: >>> named("numpy.linalg.norm").__name__
             'norm'
    """
    head, _, rest = name.partition(".")
    value: Any = import_module(head)
    path = head
    for part in filter(None, rest.split(".")):
        path = f"{path}.{part}"
        try:
            value = getattr(value, part)
        except AttributeError:
            if not isinstance(value, ModuleType):
                raise
            try:
                value = import_module(path)
            except ModuleNotFoundError:
                raise AttributeError(f"there is no {path}") from None
    return value
