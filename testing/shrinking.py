"""The smallest failing input: a failing call made smaller while the same check still fails.

Every axis of one length is cut together in all arrays, so that shapes keep fitting one another; then
numbers are made simpler. Tried is what stays a call of the same kind; arguments with a tangent or a
constraint of their own are left as they are, with everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .case import CheckError

ATTEMPTS = 40
"""How many smaller calls are tried at most."""


def with_smallest(check: Callable[..., None], x: tuple[Any, ...]) -> None:
    """`check(*x)`; where it fails, its message with the smallest call that fails the same check.

    Raises:  CheckError, as `check` does.
    """
    try:
        check(*x)
    except CheckError as error:
        smallest = _smallest(check, x, error)
        if smallest is not None:
            error.args = (f"{error}\n  smallest: {smallest.call} fails so too",)
        raise


def _smallest(check: Callable[..., None], x: tuple[Any, ...], first: CheckError) -> CheckError | None:
    """The failure of the smallest call; None where nothing smaller fails."""
    found, left, better = None, ATTEMPTS, True
    while better:
        better = False
        for smaller in _smaller(x):
            if left == 0:
                return found
            left -= 1
            error = _failure(check, smaller)
            if error is not None and error.check == first.check:
                x, found, better = smaller, error, True
                break
    return found


def _failure(check: Callable[..., None], x: tuple[Any, ...]) -> CheckError | None:
    try:
        check(*x)
    except CheckError as error:
        return error
    except Exception:  # a call that means nothing
        return None
    return None


def _smaller(x: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Calls a step smaller than this one, the smallest first."""
    lengths = {n for a in x if isinstance(a, np.ndarray) for n in a.shape if n > 1}
    for n in sorted(lengths, reverse=True):
        for shorter in (1, n // 2, n - 1):
            if 0 < shorter < n:
                yield tuple(_cut(a, n, shorter) for a in x)
    for digits in (0, 1):
        simple = tuple(_rounded(a, digits) for a in x)
        if any(not np.array_equal(a, b) for a, b in zip(x, simple, strict=True) if _is_rough(a)):
            yield simple


def _cut(a: Any, n: int, shorter: int) -> Any:
    """An array with its axes of length n cut."""
    if not isinstance(a, np.ndarray):
        return a
    return a[tuple(slice(shorter) if m == n else slice(None) for m in a.shape)].copy()


def _is_rough(a: Any) -> bool:
    return isinstance(a, float | complex) or (isinstance(a, np.ndarray) and a.dtype.kind in "fc")


def _rounded(a: Any, digits: int) -> Any:
    """Numbers with fewer digits, of the same type."""
    if not _is_rough(a):
        return a
    return np.round(a, digits) if isinstance(a, np.ndarray | np.generic) else type(a)(np.round(a, digits))
