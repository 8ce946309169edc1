"""Tracebacks: of an error that leaves an operator, the frames that its reader wrote, and one of ours.

The frames of this package, and of the dispatcher that it calls, say nothing to who wrote the program that is
differentiated, so they are left out where an error passes the outermost operator. A line of a pullback
stands there as the line of the program that it undoes. Exceptions that were dealt with inside the package go
too. With `CHAINRULES_TRACEBACK=full` in the environment everything stays.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import linecache
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

import plum

from ..tangents.errors import ChainRulesError

_PACKAGE = __name__.partition(".")[0]
_HOME = Path(__file__).parent.parent
_PARTS = ("core", "engines", "rules", "tangents", "testing", "types")


@functools.cache
def _roots() -> tuple[str, ...]:
    """The folders of this package, by both names that they have in a checkout, and of the dispatcher."""
    parts = [_HOME / part for part in _PARTS]
    folders = [Path(sys.modules[_PACKAGE].__file__ or __file__).parent, *parts, *(p.resolve() for p in parts)]
    return tuple({f"{folder}{os.sep}" for folder in (*folders, Path(plum.__file__).parent)})


@functools.lru_cache(maxsize=1024)
def is_ours(filename: str) -> bool:
    """Whether code of this file is this package's or the dispatcher's."""
    return filename.startswith((*_roots(), "<chainrules"))


PULLBACKS: dict[str, str] = {}
"""The file that each text of a pullback was made for, by the name that the text goes by."""
RUNNERS: dict[CodeType, Callable[[FrameType], tuple[str, int, str]]] = {}
"""Code of the package that runs a user's line backwards: where that line is, and a name for it."""
CALLERS: dict[CodeType, str] = {}
"""Code of the package that calls programs, which have users' lines: "forward", or "both" with pullbacks."""
_UNDONE = re.compile(r"# line (\d+): ")


def line_undone(filename: str, line: int) -> int:
    """The line of the program that a line of a pullback's text undoes; 0 for one that undoes none."""
    undone = _UNDONE.search(linecache.getline(filename, line))
    return 0 if undone is None else int(undone[1])


def shorten(error: BaseException) -> None:
    """Leave the reader's frames in a traceback, and the first, an operator's, where the error is ours.

    Example: >>> error = ValueError("x")
             >>> shorten(error)
    """
    if os.environ.get("CHAINRULES_TRACEBACK") == "full":
        return
    frames = _frames(error.__traceback__)
    if not frames:
        return
    own, shown = frames[0], _readers(frames[1:])
    if isinstance(error, ChainRulesError) or not shown:
        if not isinstance(error, ChainRulesError | TypeError):
            error.add_note("CHAINRULES_TRACEBACK=full in the environment shows the frames inside chainrules")
        if shown and isinstance(error, ChainRulesError) and _is_told(error.where, shown[-1]):
            shown.pop()  # the message shows this line
        shown.insert(0, TracebackType(None, own.tb_frame, -1, own.tb_lineno))  # no instruction: no marks
    error.__traceback__ = _joined(shown)
    _cut(error)


def _is_told(where: str, place: TracebackType) -> bool:
    """Whether the message of an error begins with this place."""
    told = where.partition("\n")[0]
    return told == f"at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}"


def _cut(error: BaseException) -> None:
    """Drop the exceptions that came before an error and were dealt with inside the package."""
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if before is None:
            return
        shown = _readers(_frames(before.__traceback__))
        if not shown:
            error.__cause__, error.__context__ = None, None
            error.__suppress_context__ = True
            return
        before.__traceback__ = _joined(shown)
        error = before


def _frames(place: TracebackType | None) -> list[TracebackType]:
    found = []
    while place is not None:
        found.append(place)
        place = place.tb_next
    return found


def _readers(places: list[TracebackType]) -> list[TracebackType]:
    """The entries that are for the reader: those of `contextlib` that this package calls are not."""
    found, inside = [], True
    for place in places:
        if inside and place.tb_frame.f_code.co_filename == contextlib.__file__:
            continue
        shown = _shown(place)
        inside = shown is None
        if shown is not None:
            found.append(shown)
    return found


def _joined(places: list[TracebackType]) -> TracebackType | None:
    after: TracebackType | None = None
    for t in reversed(places):
        after = TracebackType(after, t.tb_frame, t.tb_lasti, t.tb_lineno)
    return after


def _shown(place: TracebackType) -> TracebackType | None:
    """An entry as its reader should see it; None for one that is not for them."""
    code = place.tb_frame.f_code
    if code.co_filename in PULLBACKS:
        line = line_undone(code.co_filename, place.tb_lineno)
        return _at(PULLBACKS[code.co_filename], line, code.co_qualname)
    if code in RUNNERS:
        return _at(*RUNNERS[code](place.tb_frame))
    return None if is_ours(code.co_filename) else place


def _at(filename: str, line: int, name: str) -> TracebackType | None:
    """An entry at a line of a user's file: that of an exception raised there."""
    if not line or is_ours(filename):
        return None
    place: Any = {"lineno": line, "end_lineno": line, "col_offset": -1, "end_col_offset": -1}  # none marked
    failing = ast.Raise(ast.Name("ValueError", ast.Load(), **place), None, **place)
    code = compile(ast.Module([failing], []), filename, "exec", dont_inherit=True)
    try:
        exec(code.replace(co_name=name), {})
    except ValueError as raised:
        made = _frames(raised.__traceback__)[-1]
        return TracebackType(None, made.tb_frame, made.tb_lasti, line)
    return None
