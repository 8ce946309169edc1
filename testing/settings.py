"""What a check may be told: the seed of its random numbers, tolerances, how far differences reach.

The primal's keyword arguments pass through a check untouched, so none of its own names may stand
among them: settings are given around the call, `with checking(seed=3): check_rule(f, x)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from .richardson import Side


@dataclass(frozen=True)
class Settings:
    """The settings of a check; `None` means that the check decides by the precision of its inputs."""

    seed: int = 0
    rtol: float | None = None
    atol: float | None = None
    max_range: float | None = None  # the farthest that any entry of an input is moved
    side: Side = "central"
    order: int = 1  # 2 differentiates rules themselves, by the default engine
    vary: bool = False  # checks variations of each call, too: other precisions, complex numbers, shapes

    def tolerances(self, eps: float) -> tuple[float, float]:
        """(relative, absolute) for numbers of this relative precision."""
        rtol, atol = next(pair for limit, *pair in _TOLERANCES if eps <= limit)
        return (rtol if self.rtol is None else self.rtol), (atol if self.atol is None else self.atol)

    def __str__(self) -> str:
        changed = [f"{k}={v!r}" for k, v in vars(self).items() if k == "seed" or v != getattr(_DEFAULT, k)]
        return f"checking({', '.join(changed)})"


# A relative error of 1e-3 is seen down to single precision.
_TOLERANCES = ((1e-12, 1e-6, 1e-10), (1e-6, 3e-4, 1e-6), (1.0, 3e-2, 1e-3))

_DEFAULT = Settings()  # frozen, so that no check can change it for another
_current: ContextVar[Settings] = ContextVar("settings", default=_DEFAULT)


def current() -> Settings:
    """The settings of checks made here."""
    return _current.get()


@contextmanager
def checking(**changes: Any) -> Iterator[Settings]:
    """Settings for the checks made inside: seed, rtol, atol, max_range, side, order, vary.

    Raises:  TypeError for a setting that does not exist.
    Example: >>> with checking(seed=3, side="right") as settings:
             ...     print(settings)
             checking(seed=3, side='right')
    """
    token = _current.set(replace(_current.get(), **changes))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
