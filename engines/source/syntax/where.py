"""Where an error happened, as a person looks for it: file, line, the source line, a caret."""

from __future__ import annotations

import ast
import linecache
import sys
from types import CodeType, FrameType

from ....core.errors import ChainRulesError, UnsupportedSyntaxError
from ....core.tracebacks import is_ours
from .codes import ByCode

Place = tuple[str, int, int | None, int | None]  # file, line, first and last column


def show(place: Place) -> str:
    """`file:line`, then the source line with a caret under the exact expression."""
    filename, line, start, end = place
    text = linecache.getline(filename, line).rstrip("\n")
    if not text.strip():
        return f"{filename}:{line}"
    indent = len(text) - len(text.lstrip())
    shown = [f"{filename}:{line}", f"    {text.strip()}"]
    if start is not None:
        width = (end if end is not None and end > start else len(text)) - start
        shown.append("    " + " " * max(0, start - indent) + "^" * max(1, min(width, len(text) - start)))
    return "\n  ".join(shown)


def refusal(node: ast.AST, filename: str, what: str, next: str) -> UnsupportedSyntaxError:
    """The error for syntax that is not differentiated, at its exact place."""
    line, start = getattr(node, "lineno", 1), getattr(node, "col_offset", None)
    end = getattr(node, "end_col_offset", None) if getattr(node, "end_lineno", line) == line else None
    error = UnsupportedSyntaxError(what, where=show((filename, line, start, end)), next=next)
    error.filename, error.lineno, error.offset = filename, line, None if start is None else start + 1
    error.text = linecache.getline(filename, line)
    error.msg = f"{what}\n  next: {next}"  # what Python prints of a syntax error
    return error


_programs: ByCode[bool] = ByCode()


def is_program(code: CodeType) -> None:
    """Remember that this code is the forward part of a program, its positions the user's."""
    _programs[code] = True


def call_chain() -> list[Place]:
    """The calls being differentiated on this thread's stack, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    chain: list[Place] = []
    while frame is not None:
        if frame.f_code in _programs:
            chain.append(_place(frame, frame.f_lasti))
        frame = frame.f_back
    return chain


def tell_place(error: BaseException) -> None:
    """Let an error of this package that names no place name the calls that it came through.

    Example: >>> tell_place(ValueError("x"))  # others have a traceback for that
    """
    if not isinstance(error, ChainRulesError) or error.where:
        return
    chain, passed = [], error.__traceback__
    while passed is not None:
        code = passed.tb_frame.f_code
        if code in _programs and not is_ours(code.co_filename):  # no program of a rule's
            chain.append(_place(passed.tb_frame, passed.tb_lasti))
        passed = passed.tb_next
    error.where = show_chain(chain[::-1])


def _place(frame: FrameType, instruction: int) -> Place:
    line, end_line, start, end = list(frame.f_code.co_positions())[instruction // 2]
    if line is None or line != end_line:
        end = None
    return frame.f_code.co_filename, line or frame.f_lineno, start, end


def show_chain(chain: list[Place]) -> str:
    """The chain of calls: where it stopped, then each call on the way there."""
    if not chain:
        return ""
    first, *rest = chain
    return "\n  ".join([f"at {show(first)}", *(f"when differentiating this call: {show(p)}" for p in rest)])
