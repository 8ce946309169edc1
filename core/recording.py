"""Recorded values: what the package knows of engines that wrap values and record what is done to them.

Such an engine hears of Python's operators and NumPy's functions through their protocols. A call of a
Python function has no protocol: called with a recorded value it simply runs. So the functions of this
package whose rules matter are decorated with `by_rule`, and `chainrules.call(f, …)` does for any
other f what NumPy's protocols do for NumPy's. A recorded value's class has `__chainrules_call__(f,
args, kwargs)`, which does the call by f's rule. While an engine records, it is the engine of the
operators that are given none.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar, cast

from ..tangents import Composite, fields_of
from ..tangents.functions import FUNCTIONS
from ..tangents.structure import parts

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Here(threading.local):
    """The engines that record in this thread, the innermost last."""

    def __init__(self) -> None:
        self.engines: list[Any] = []


_here = _Here()
_lock = threading.Lock()
_open = 0  # in all threads: a function under record may start some


@contextmanager
def recording(engine: Any) -> Iterator[None]:
    """While the block runs, values of this engine may be about, and it is the engine of operators."""
    global _open
    with _lock:
        _open += 1
    _here.engines.append(engine)
    try:
        yield
    finally:
        _here.engines.pop()
        with _lock:
            _open -= 1


def recording_engine() -> Any:
    """The engine that records in this thread; None where none does."""
    return _here.engines[-1] if _here.engines else None


def recording_depth() -> int:
    """How many runs of recording engines are inside one another in this thread."""
    return len(_here.engines)


def is_recording() -> bool:
    """Whether any thread records."""
    return _open > 0


def recorder(x: Any) -> Callable[..., Any] | None:
    """How the recorded values in x, if there are any, want a function of x to be called."""
    found: Callable[..., Any] | None = getattr(type(x), "__chainrules_call__", None)
    if found is not None:
        return cast(Callable[..., Any], x.__chainrules_call__)
    if type(x).__module__ in _WITHOUT or isinstance(x, FUNCTIONS):
        return None
    return next((hook for hook in map(recorder, _inside(x)) if hook is not None), None)


def holds_recorded(f: Any) -> bool:
    """Whether a function holds recorded values: captured, as defaults, in a `partial`, or deeper."""
    left, seen = [f], dict[int, Any]()
    while left:
        x = left.pop()
        if id(x) not in seen and type(x).__module__ not in _WITHOUT:
            seen[id(x)] = x
            if getattr(type(x), "__chainrules_call__", None) is not None:
                return True
            left += _inside(x)
            left += [*(getattr(x, "__defaults__", None) or ())]
            left += [*(getattr(x, "__kwdefaults__", None) or {}).values()]
    return False


def _inside(x: Any) -> Iterable[Any]:
    inside = fields_of(x) if isinstance(x, Composite) else parts(x)
    return inside.values() if isinstance(inside, dict) else inside or ()


_WITHOUT = ("numpy", "types", "enum")  # the modules of types that hold no recorded value


def by_rule(f: _Function) -> _Function:
    """A function of this package that runs by its rule where it is given recorded values."""

    @wraps(f)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not _open:
            return f(*args, **kwargs)
        hook = recorder((args, kwargs))
        return f(*args, **kwargs) if hook is None else hook(called, args, kwargs)

    return cast(_Function, called)
