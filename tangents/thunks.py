"""Lazy tangents: `Thunk` and `InplaceableThunk`.

A thunk is worth making for one of several cotangents of which some may never be asked for. It is
evaluated at most once, also from several threads; a failed evaluation is not remembered. Adding a
zero, subtracting one or from one, and printing do not force it; arithmetic, comparison, indexing,
attributes and NumPy functions do. What they get to see of it is read-only, because the value may be
shared: writing into a thunk is an error. Absent on purpose: laziness of anything but the value and its
negative, since a chain of deferred small operations costs more than doing them.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from . import algebra
from .sparse import add_sparse, is_sparse
from .zeros import NotImplementedTangent, is_zero


class Lazy:
    """A tangent whose value is made on demand; `unthunk` asks for it."""

    __slots__ = ()

    def force(self) -> Any:
        """The value, which may be lazy again."""
        raise NotImplementedError


def unthunk(t: Any) -> Any:
    """The value of a thunk, forced to the bottom; anything else as it is.

    Example: >>> unthunk(Thunk(lambda: Thunk(lambda: 3.0))), unthunk(2.0)
             (3.0, 2.0)
    """
    while isinstance(t, Lazy):
        t = t.force()
    return t


_UNSET: Any = object()


def is_waiting(t: Any) -> bool:
    """Whether t is a thunk that nothing has forced yet."""
    return isinstance(t, Thunk) and t._fn is not None


def _minus(a: Any, b: Any) -> Any:
    return add_sparse(a, -b) if is_sparse(a) or is_sparse(b) else a - b  # which of matrices is an np.matrix


def _binary(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def forward(self: Any, other: Any) -> Any:
        if is_zero(other) or isinstance(other, NotImplementedTangent):
            return NotImplemented
        return operation(unthunk(self), unthunk(other))

    return forward


def _reflected(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: operation(unthunk(other), unthunk(self))


def _comparison(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: operation(unthunk(self), unthunk(other))


def _unary(operation: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: operation(unthunk(self))


class Thunk(Lazy):
    """A tangent that is computed by `fn()` when, and only if, somebody needs it.

    Raises:  whatever `fn` raises, when forced; TypeError or ValueError when written into.
    Example: >>> t = Thunk(lambda: 3.0)
             >>> (t + Zero()) is t, t + 2.0
             (True, 5.0)
    """

    __slots__ = ("__weakref__", "_fn", "_lock", "_value")

    def __init__(self, fn: Callable[[], Any]) -> None:
        self._fn: Callable[[], Any] | None = fn
        self._value = _UNSET
        # Re-entrant, so that a thunk which needs itself ends in a RecursionError and not in silence.
        self._lock = threading.RLock()

    def force(self) -> Any:
        """The value; computed by the first caller, while others wait."""
        if self._value is _UNSET:
            with self._lock:
                if self._fn is not None:
                    value = self._fn()
                    self._value = value
                    self._fn = None  # what the computation captured may go
        return self._value

    def __reduce__(self) -> tuple[Callable[[Any], Any], tuple[Any]]:
        return _evaluated, (unthunk(self),)

    def __repr__(self) -> str:
        fn = self._fn
        state = repr(self._value) if fn is None else f"<not evaluated: {getattr(fn, '__qualname__', fn)}>"
        return f"{type(self).__name__}({state})"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # probes of printers, debuggers and `copy` must not force
            raise AttributeError(f"a {type(self).__name__} has no attribute {name!r}")
        value = unthunk(self)
        return _part(value, getattr(tuple(value) if type(value) is list else _read_only(value), name))

    def __add__(self, other: Any) -> Any:
        return algebra.add(self, other)

    def __radd__(self, other: Any) -> Any:
        return algebra.add(other, self)

    __sub__ = _binary(_minus)
    __rsub__ = _reflected(_minus)
    __mul__ = _binary(operator.mul)
    __rmul__ = _reflected(operator.mul)
    __matmul__ = _binary(operator.matmul)
    __rmatmul__ = _reflected(operator.matmul)
    __truediv__ = _binary(operator.truediv)
    __rtruediv__ = _reflected(operator.truediv)
    __pow__ = _binary(operator.pow)
    __rpow__ = _reflected(operator.pow)
    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)
    __hash__ = None  # type: ignore[assignment]  # equality forces, and arrays do not hash
    __pos__ = _unary(operator.pos)
    __abs__ = _unary(abs)
    __bool__ = _unary(bool)
    __float__ = _unary(float)
    __complex__ = _unary(complex)
    __int__ = _unary(int)
    __len__ = _unary(len)

    def __neg__(self) -> Thunk:
        return Thunk(lambda: -unthunk(self))

    def __iter__(self) -> Any:
        value = unthunk(self)
        return (_part(value, part) for part in _read_only(value))

    def __contains__(self, part: Any) -> bool:
        return part in unthunk(self)

    def __getitem__(self, index: Any) -> Any:
        value = unthunk(self)
        return _part(value, _read_only(value)[index])

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise TypeError("a thunk is not written into: its value may be shared; unthunk and copy it first")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        value = unthunk(self)
        if copy:
            return np.array(value, dtype)
        return np.asarray(_read_only(value), dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if "out" in kwargs:  # a thunk there is refused by NumPy, for it sees a read-only array
            kwargs["out"] = tuple(map(_exposed, kwargs["out"]))
        return getattr(ufunc, method)(*map(_exposed, inputs), **kwargs)


class InplaceableThunk(Thunk):
    """A thunk that can also add itself into an accumulator without building its value.

    Shapes:  `add_into(acc)` adds the value into acc, a writable array like the value, and returns acc;
             `thunk` is a Thunk of the value, or a function that computes it.
    Example: >>> t = InplaceableThunk(lambda acc: np.add(acc, 2.0, out=acc), lambda: np.full(3, 2.0))
             >>> accumulate(np.ones(3), t)
             array([3., 3., 3.])
    """

    __slots__ = ("add_into",)

    def __init__(self, add_into: Callable[[Any], Any], thunk: Callable[[], Any] | Thunk) -> None:
        super().__init__(thunk.force if isinstance(thunk, Thunk) else thunk)
        self.add_into = add_into


def _evaluated(value: Any) -> Thunk:
    thunk = Thunk(lambda: value)
    thunk.force()
    return thunk


def _read_only(value: Any) -> Any:
    """What others get to see of a value that may be shared."""
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    if type(value) is dict:
        return MappingProxyType({key: _read_only(part) for key, part in value.items()})
    return value


def _part(value: Any, part: Any) -> Any:
    """An item or attribute of a value: what an array gave is read-only already, or a copy."""
    return part if isinstance(value, np.ndarray) else _read_only(part)


def _exposed(t: Any) -> Any:
    return _read_only(unthunk(t)) if isinstance(t, Thunk) else t
