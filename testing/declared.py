"""Declared cases: the points at which a package has its rules checked.

A module of cases has a list `CASES`, each entry `declare(f, *args, **kwargs)`, or a parameter set of
pytest with the same three values, `pytest.param(f, args, kwargs)`, so that one list serves a test
and the command. Rules that no call can show (they make lazy values, or are for integers alone) stand
with their reason in a list `EXEMPT`, each entry `exempt(f, why=...)`. A package says in its
pyproject.toml where its modules of cases are: files, folders (each file `test_*.py` or `cases*.py`
below counts) or module names.

    [tool.chainrules.cases]
    mypackage = ["tests/rules"]
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import tomllib
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..core import ChainRulesError, loading
from ..core.callables import describe_call, name_of, normalise
from .random import WithTangent


class DeclarationError(ChainRulesError, ValueError):
    """Cases or rules that were asked for cannot be found or read."""


class DeclaredCase(NamedTuple):
    """A callable with the arguments of one call, to be given to `check_rule`."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    why: str = ""

    def __str__(self) -> str:
        if self.why.startswith(name_of(self.f)):
            return self.why  # a parameter set is named after the whole call
        values = (x.primal if isinstance(x, WithTangent) else x for x in self.args)
        return f"{describe_call(self.f, values, self.kwargs)} {self.why}".rstrip()


def declare(f: Callable[..., Any], *args: Any, why: str = "", **kwargs: Any) -> DeclaredCase:
    """One point at which the rules of f are checked; `why` says what is special there.

    Example: >>> print(declare(np.hypot, 0.3, np.ones((2, 3)), why="broadcast"))
             numpy.hypot(float, ndarray[2, 3] of float64) broadcast
    """
    return DeclaredCase(f, args, kwargs, why)


class Exemption(NamedTuple):
    """Rules of a callable, of those data types if any are given, that need no case, and why."""

    f: Callable[..., Any]
    types: tuple[Any, ...]
    why: str


def exempt(f: Callable[..., Any], *types: Any, why: str) -> Exemption:
    """The rules of f, or those for data of these types alone, need no case; `why` says for what reason.

    Raises:  DeclarationError without a reason.
    Example: >>> exempt(zip, why="makes an iterator, which differences cannot compare").why
             'makes an iterator, which differences cannot compare'
    """
    if not why:
        raise DeclarationError(f"{name_of(f)} is exempt without a reason", next="say why=")
    return Exemption(normalise(f, (), {})[0], types, why)


class Declared(NamedTuple):
    """What modules of cases declare."""

    cases: tuple[DeclaredCase, ...] = ()
    exemptions: tuple[Exemption, ...] = ()


def declared_for(target: str, where: Iterable[str] = (), start: Path | None = None) -> Declared:
    """The cases of `target`: from `where`, else from what the nearest pyproject.toml says.

    Raises:  DeclarationError where nothing is declared, or a place holds no cases.
    """
    root, table = _configured(start or Path.cwd())
    places = list(where) or table.get(target, [])
    places = [places] if isinstance(places, str) else places
    if not places:
        declared = ", ".join(sorted(table))
        raise DeclarationError(
            f"no cases are declared for {target}",
            where=f"looking for [tool.chainrules.cases] in {root / 'pyproject.toml'}",
            closest=f"cases are declared for: {declared}" if declared else "",
            next=f"add these lines there, or say --cases\n    [tool.chainrules.cases]\n"
            f'    {_key(target)} = ["folder/of/cases"]',
        )
    loading.load_all()  # a module of cases may ask what rules there are
    modules = [module for place in places for module in _modules(place, root)]
    cases = tuple(c for module in modules for c in cases_of(module))
    if not cases:
        raise DeclarationError(
            f"no cases are declared in {', '.join(places)}", next="give a module there a list named CASES"
        )
    return Declared(cases, tuple(e for module in modules for e in getattr(module, "EXEMPT", ())))


def _key(target: str) -> str:
    """A name as a key of TOML: in quotes where it is dotted, which would be a table in a table."""
    return target if re.fullmatch(r"[A-Za-z0-9_-]+", target) else json.dumps(target)


def cases_of(module: Any) -> Iterator[DeclaredCase]:
    """The entries of a module's list `CASES`."""
    entries: Iterable[Any] = getattr(module, "CASES", ())
    for entry in entries:
        if isinstance(entry, DeclaredCase):
            yield entry
            continue
        values = getattr(entry, "values", None)
        if not isinstance(values, tuple) or len(values) != 3 or not callable(values[0]):
            raise DeclarationError(
                f"an entry of CASES is no case: {entry!r:.80}",
                where=f"in {getattr(module, '__file__', module)}",
                next="write declare(f, *args, **kwargs), or pytest.param(f, args, kwargs)",
            )
        yield DeclaredCase(*values, why=getattr(entry, "id", None) or "")


def _configured(start: Path) -> tuple[Path, dict[str, Any]]:
    """The nearest folder at or above `start` whose pyproject.toml declares cases, and what it declares."""
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            try:
                tools = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise DeclarationError(
                    f"{file} is no valid TOML: {error}", next="mend it, or say --cases from another folder"
                ) from error
            if "chainrules" in tools:
                return folder, tools["chainrules"].get("cases", {})
    return start, {}


def _modules(place: str, root: Path) -> Iterator[Any]:
    """The modules of a file, a folder or a module name; files are imported as their path below root says."""
    path = root / place
    if not path.exists():
        yield _imported(place, root)
        return
    files = [path] if path.is_file() else sorted([*path.rglob("test_*.py"), *path.rglob("cases*.py")])
    for file in files:
        below = file.relative_to(root) if file.is_relative_to(root) else Path(file.name)
        yield _imported(
            ".".join(below.with_suffix("").parts), root if file.is_relative_to(root) else file.parent
        )


def _imported(name: str, folder: Path) -> Any:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise _broken(name, error) from error
        raise DeclarationError(
            f"{name} is neither a file nor a module", where=f"looking for cases from {folder}",
            next="name a file, a folder or a module that can be imported",
        ) from error  # fmt: skip
    except DeclarationError:
        raise
    except Exception as error:
        raise _broken(name, error) from error


def _broken(name: str, error: Exception) -> DeclarationError:
    """The error for a module of cases that cannot be imported, with the place where it fails."""
    where = ""
    if isinstance(error, SyntaxError) and error.filename:
        where = f"at {error.filename}:{error.lineno}"
    elif entries := [e for e in traceback.extract_tb(error.__traceback__) if "importlib" not in e.filename]:
        where = f"at {entries[-1].filename}:{entries[-1].lineno}\n      {entries[-1].line}"
    said = error.msg if isinstance(error, SyntaxError) else error
    return DeclarationError(
        f"the cases in {name} cannot be imported: {type(error).__name__}: {said}",
        where=where,
        next="mend the file; importing it in Python shows the whole error",
    )
