"""`DPtr`, a differentiable pointer into a buffer, and `DHashGridPtr`, which spreads what it accumulates.

A pointer is read by `get` and written by `set`, and has no other data than its buffer and its offset. Its
differential is a second pointer that the caller made, into a buffer of the caller. The derivatives of reading
and writing act on the pair of both (`deriv_method`): reading forwards gives a value with its tangent;
backwards it adds the cotangent to where the differential points, atomically. Writing backwards takes the
cotangent out of there and leaves zero, so of two writes into one place only the last gets one. A subclass may
define these four anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ..core.errors import NotDifferentiableError
from .pairing import diff_pair
from .pairs import DifferentialPair
from .roles import DifferentiablePtr, no_vectors

_LOCK = threading.Lock()


class deriv_method:  # noqa: N801  a decorator
    """A derivative of a method: it takes the pair of an object and its differential; operators call it.

    Raises:  TypeError when it is called as a method of one object.
    Example: >>> DPtr.get_bwd.of_pair.__name__
             'get_bwd'
    """

    def __init__(self, of_pair: Callable[..., Any]) -> None:
        self.of_pair = of_pair
        self.__doc__ = of_pair.__doc__

    def __get__(self, owner: Any, cls: type) -> Any:
        if owner is None:
            return self
        name = self.of_pair.__name__

        def refuse(*args: Any, **kwargs: Any) -> Any:
            raise TypeError(
                f"{cls.__qualname__}.{name} is a derivative and takes a pair, not one {cls.__qualname__}; "
                f"differentiate what calls the method: bwd_diff(f)(diff_pair(pointer, differential), ...)"
            )

        return refuse


class DPtr(DifferentiablePtr):
    """A pointer to one entry of a buffer of numbers.

    Raises:  TypeError for a buffer that has no derivative; IndexError when an entry outside it is read or
             written.
    Example: >>> buffer = np.array([2.0, 3.0])
             >>> (DPtr(buffer, 0) + 1).get()
             3.0
    """

    __slots__ = ("buffer", "offset")

    def __init__(self, buffer: Any, offset: int = 0) -> None:
        if not isinstance(buffer, np.ndarray) or buffer.dtype.kind not in "fc" or buffer.ndim != 1:
            kind = (
                f"{buffer.dtype} {buffer.shape}" if isinstance(buffer, np.ndarray) else type(buffer).__name__
            )
            raise NotDifferentiableError(
                f"{type(self).__qualname__} points into a vector of real or complex numbers, not {kind}",
                next="give a NumPy vector: np.zeros(n)",
            )
        self.buffer, self.offset = buffer, int(offset)

    @property
    def place(self) -> int:
        """The entry that it points to, which is refused outside the buffer."""
        if not 0 <= self.offset < len(self.buffer):
            raise IndexError(f"entry {self.offset} of a buffer of {len(self.buffer)}")
        return self.offset

    def load(self) -> Any:
        """The number there, of Python's own kind where it is a double."""
        return self.buffer[self.place].item() if self.buffer.dtype == float else self.buffer[self.place]

    def store(self, value: Any) -> None:
        """Set the number there."""
        self.buffer[self.place] = value

    def interlocked_add(self, value: Any) -> None:
        """Add to the number there, in one step for all threads."""
        with _LOCK:
            np.add.at(self.buffer, self.place, value)

    def get(self) -> Any:
        """The number that it points to; derivatives of this are `get_fwd` and `get_bwd`."""
        return self.load()

    def set(self, value: Any) -> None:
        """Set the number that it points to; derivatives of this are `set_fwd` and `set_bwd`."""
        self.store(value)

    @deriv_method
    def get_fwd(self: Any) -> DifferentialPair:
        """(p, ṗ) where both point to"""
        return diff_pair(self.p.load(), self.d.load())

    @deriv_method
    def get_bwd(self: Any, d: Any) -> None:
        """p̄ += d"""
        self.d.interlocked_add(d)

    @deriv_method
    def set_fwd(self: Any, d: Any) -> None:
        """ṗ = d"""
        self.d.store(d)

    @deriv_method
    def set_bwd(self: Any) -> Any:
        """The cotangent of what was written: p̄, which is zero afterwards"""
        with _LOCK:
            d = self.d.load()
            self.d.store(0.0)
        return d

    def _at(self, offset: int) -> Any:
        return type(self)(self.buffer, offset)

    def __add__(self, steps: Any) -> Any:
        if isinstance(steps, DifferentiablePtr) or not isinstance(steps, int | np.integer):
            raise no_vectors(type(self), "added to anything but a number of steps")
        return self._at(self.offset + int(steps))

    __radd__ = __add__

    def __sub__(self, steps: Any) -> Any:
        if isinstance(steps, DifferentiablePtr) or not isinstance(steps, int | np.integer):
            raise no_vectors(type(self), "subtracted")
        return self._at(self.offset - int(steps))

    def __dir__(self) -> list[str]:
        hidden = {n for c in type(self).__mro__ for n, m in vars(c).items() if isinstance(m, deriv_method)}
        return [name for name in object.__dir__(self) if name not in hidden]

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({self.buffer!r}, {self.offset})"


DPtr.Differential = DPtr  # type: ignore[attr-defined]  # itself, as the differential of each pointer


class DHashGridPtr(DPtr):
    """A pointer whose differential has N places for each entry, so that threads seldom wait for one another.

    Shapes:  the differential points into a buffer N times as long; `reduce(n)` sums its places entry by
             entry.
    Example: >>> grid = DHashGridPtr(np.zeros(8), 0)
             >>> for _ in range(8): grid.spread_add(1.0)
             >>> grid.reduce(2), grid.buffer.sum()
             (array([8., 0.]), np.float64(8.0))
    """

    __slots__ = ()
    N: ClassVar[int] = 4

    def spread_add(self, value: Any) -> None:
        """Add to one of the N places of this entry: which one, the thread decides."""
        slot = hash(threading.get_ident()) // 64 % self.N
        self._at(self.offset * self.N + slot).interlocked_add(value)

    def reduce(self, count: int) -> Any:
        """The sums of the N places of each of `count` entries."""
        return self.buffer[: count * self.N].reshape(count, self.N).sum(axis=1)

    @deriv_method
    def get_fwd(self: Any) -> DifferentialPair:
        """(p, ṗ), where ṗ is the sum of its places"""
        start = self.d.offset * self.d.N
        return diff_pair(self.p.load(), float(self.d.buffer[start : start + self.d.N].sum()))

    @deriv_method
    def get_bwd(self: Any, d: Any) -> None:
        """p̄ += d, in one of its places"""
        self.d.spread_add(d)

    @deriv_method
    def set_fwd(self: Any, d: Any) -> None:
        """ṗ = d, in the first of its places"""
        start = self.d.offset * self.d.N
        self.d.buffer[start : start + self.d.N] = 0.0
        self.d.buffer[start] = d

    @deriv_method
    def set_bwd(self: Any) -> Any:
        """The sum of the places, which are zero afterwards"""
        start = self.d.offset * self.d.N
        with _LOCK:
            total = float(self.d.buffer[start : start + self.d.N].sum())
            self.d.buffer[start : start + self.d.N] = 0.0
        return total
