"""Debug mode: the switch, and what hangs on it.

While it is on, every rule that is looked up runs watched (watched.py), `accumulate` holds an
`InplaceableThunk` to returning the buffer it was given, and a rule that is registered is shown to
whoever asked with `at_registration`. While it is off nothing of this exists: switching empties the
caches of resolved rules, so that no call has to ask. It holds for the whole process, all threads.
The environment variable CHAINRULES_DEBUG switches it on from the start.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..tangents import InplaceableThunk, accumulation
from . import caches
from .errors import RuleContractError

_depth = 0
_at_registration: list[Callable[[Any, Any], None]] = []


def is_on() -> bool:
    """Whether debug mode is on."""
    return _depth > 0


@contextmanager
def debug_mode() -> Iterator[None]:
    """A context in which every rule is watched while it runs.

    Refused, naming the rule: a pullback that writes into its seed, a rule that writes into an
    argument or tangent, a cotangent of a wrong shape or dtype, an `add_into` that returns another
    object than its accumulator. A NaN or infinity that appears in a rule, where everything that
    went in is finite, is a `NumericStabilityWarning` at the line of the call.

    Raises:  RuleContractError from the derivatives taken inside.
    Example: >>> bad = InplaceableThunk(lambda acc: acc + 1.0, lambda: np.ones(2))
             >>> with debug_mode():
             ...     accumulate(np.zeros(2), bad)
             Traceback (most recent call last):
             ...
             chainrules.core.errors.RuleContractError: <lambda>, the add_into of an InplaceableThunk, ...
    """
    _turn(1)
    try:
        yield
    finally:
        _turn(-1)


def at_registration(check: Callable[[Any, Any], None]) -> None:
    """Have `check(f, method)` called for every rule that is registered while debug mode is on."""
    _at_registration.append(check)


def registered(f: Any, method: Any) -> None:
    """Show a new method of f to those who asked."""
    if is_on():
        for check in _at_registration:
            check(f, method)


def _turn(change: int) -> None:
    global _depth
    with caches.lock:
        was = is_on()
        _depth += change
        if is_on() is not was:
            accumulation.watcher = _hold_in_place if is_on() else None
            caches.invalidate()


def _hold_in_place(t: InplaceableThunk, accumulator: Any, total: Any) -> None:
    """Refuse an `add_into` that did not return the accumulator."""
    if total is not accumulator:
        code = getattr(t.add_into, "__code__", None)
        name = getattr(t.add_into, "__qualname__", repr(t.add_into))
        raise RuleContractError(
            f"{name}, the add_into of an InplaceableThunk, returned {_shown(total)}, not its accumulator",
            where="" if code is None else f"at {code.co_filename}:{code.co_firstlineno}",
            next="add into the array that it is given, and return that array",
        )


def _shown(total: Any) -> str:
    return "None" if total is None else f"another {type(total).__name__}"


if os.environ.get("CHAINRULES_DEBUG", "0") not in ("", "0"):
    _turn(1)
