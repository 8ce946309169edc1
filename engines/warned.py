"""The warning that a derivative can be nothing but zero.

A gradient that is zero along the path that was taken is a result. One that is zero because the
value cannot depend on the argument at all is most often a slip: a variable of the wrong name, a
value cast to an integer. An engine that can tell says so by `can_depend`; it is asked only where a
derivative came out as zero.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

from ..core.callables import name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine, engine_or_default
from ..tangents import is_zero, unthunk

_PACKAGE = __name__.partition(".")[0]


class ZeroDerivativeWarning(UserWarning):
    """The value of a function that is differentiated cannot depend on an argument."""


def warn_of_zeros(
    f: Callable[..., Any],
    x: tuple[Any, ...],
    kwargs: dict[str, Any],
    derivatives: Any,
    argnums: Any,
    engine: Engine | str | None,
) -> None:
    """Warn for each chosen argument whose derivative is zero because nothing can depend on it."""
    for i in argnums if isinstance(argnums, tuple | list) else (argnums,):
        t = derivatives[i]
        if type(t) is float:
            continue
        if t is not None and is_zero(unthunk(t)):
            can_depend = getattr(engine_or_default(engine), "can_depend", None)
            if can_depend is not None and not can_depend(f, x, kwargs, i % len(x)):
                warn_of_zero(f, i % len(x))


def warn_of_zero(f: Any, i: int) -> None:
    """Warn that the value of f cannot depend on argument i."""
    warnings.warn(_message(f, i), ZeroDerivativeWarning, stacklevel=user_level())


def _message(f: Any, i: int) -> str:
    code = getattr(f, "__code__", None)
    where = f"\n  at {code.co_filename}:{code.co_firstlineno}" if code is not None else ""
    return (
        f"the value of {name_of(f)} does not depend on argument {i} in a differentiable way: "
        f"its derivative is zero{where}\n"
        "  next: use the argument, leave it out of argnums, or wrap what is meant to be constant "
        "in chainrules.stop_gradient"
    )


def user_level() -> int:
    """How far above `warnings.warn` the first frame outside this package is."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame, level = frame.f_back, level + 1
    return level


non_differentiable(warn_of_zeros, why="warns")
