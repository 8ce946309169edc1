"""Watching for plain calls of Python functions that have a rule.

A tape does not see such a call: the function's body would be recorded in place of its rule. While a
function runs on recorded values, Python is asked to report calls, and one of a function with a rule
from outside this package, with a recorded value among its arguments, is refused. Where no such rule
is registered nothing is watched; nor is it where a profiler runs already, which has Python's one place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

from ...core.caches import generation
from ...core.recording import recorder
from ...core.registry import Rules, registered
from .refusals import traced_through

_PACKAGE = __name__.partition(".")[0]
_ruled: tuple[int, dict[CodeType, Any]] = (-1, {})


@contextmanager
def watched() -> Iterator[None]:
    """Refuse plain calls of functions with rules while the block runs."""
    if not _functions() or sys.getprofile() is not None:
        yield
        return
    sys.setprofile(_refuse)
    try:
        yield
    finally:
        sys.setprofile(None)


def _refuse(frame: FrameType, event: str, argument: Any) -> None:
    if event != "call" or frame.f_code not in _ruled[1]:
        return
    calling = frame.f_back
    if calling is not None and calling.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        return  # the rule itself, which computes the value
    if recorder(dict(frame.f_locals)) is not None:
        raise traced_through(_ruled[1][frame.f_code])


def _functions() -> dict[CodeType, Any]:
    """Functions in Python with a rule that somebody else wrote, by their code."""
    global _ruled
    if _ruled[0] != (now := generation()):
        found = {r.f.__code__: r.f for r in registered() if type(r.f) is FunctionType and _is_foreign(r)}
        _ruled = now, found
    return _ruled[1]


def _is_foreign(rules: Rules) -> bool:
    owners = [m.rule.__module__ for methods in rules.methods.values() for m in methods if m.rule is not None]
    if rules.non_differentiable is not None:
        owners = [rules.f.__module__]
    known = {_PACKAGE, "numpy", "scipy", *sys.stdlib_module_names}
    return any((owner or "").partition(".")[0] not in known for owner in owners)
