"""Work counted: how often a pullback calls NumPy with what comes from its seed.

The seed is an array of a class of its own, whose every ufunc and array function is a call counted and
whose results are of that class again. A lazy answer is work as well, for whoever asks for it: those that are
needed are forced, and what they call is counted. Times would depend on the machine; calls do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from ...tangents import unthunk

_calls: ContextVar[int] = ContextVar("calls", default=0)


class Counted(np.ndarray[Any, Any]):
    """An array that counts the calls of NumPy that it takes part in."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if "out" in kwargs:
            kwargs["out"] = tuple(map(_plain, kwargs["out"]))
        return _counted(getattr(ufunc, method)(*map(_plain, inputs), **kwargs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _counted(func(*_plain(args), **{k: _plain(v) for k, v in kwargs.items()}))


def _plain(x: Any) -> Any:
    if isinstance(x, Counted):
        return x.view(np.ndarray)
    return type(x)(map(_plain, x)) if type(x) in (list, tuple) else x


def _counted(y: Any) -> Any:
    _calls.set(_calls.get() + 1)
    if type(y) is np.ndarray:
        return y.view(Counted)
    return (
        type(y)(v.view(Counted) if type(v) is np.ndarray else v for v in y) if type(y) in (list, tuple) else y
    )


def calls_made(pullback: Callable[[Any], Any], seed: Any, needs: Sequence[bool] | None = None) -> int | None:
    """How many calls of NumPy a pullback makes with this seed; None where that cannot be counted.

    It cannot where the class is lost on the way, as it is in a function of SciPy.
    Lazy answers are forced: all, or those that `needs` names.

    Example: >>> calls_made(lambda y_bar: (np.sin(y_bar) * 2.0, y_bar), np.ones(3))
             2
    """
    if type(seed) is not np.ndarray or not seed.ndim:
        return None
    token = _calls.set(0)
    try:
        answers = pullback(seed.view(Counted))
        answers = answers if type(answers) is tuple else (answers,)
        wanted = [unthunk(t) for i, t in enumerate(answers) if needs is None or needs[i]]
        return None if any(type(x_bar) is np.ndarray for x_bar in wanted) else _calls.get()
    except Exception:  # it takes arrays of NumPy's own class alone
        return None
    finally:
        _calls.reset(token)
