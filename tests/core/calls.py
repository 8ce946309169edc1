"""What the tests of the rule contract share: rules that must be there, and a rule in one line."""

from collections.abc import Callable
from typing import Any

import chainrules as cr


def value_and_pullback(f: Any, *x: Any, **kwargs: Any) -> tuple[Any, Any]:
    """Value and pullback by a rule, which there must be."""
    applied = cr.apply_rrule(f, *x, **kwargs)
    assert applied is not None, f"no reverse rule for {f}"
    return applied


def pulled(f: Any, *x: Any, seed: Any = 1.0, **kwargs: Any) -> tuple[Any, ...]:
    """The cotangents by a rule, which there must be."""
    answer: tuple[Any, ...] = value_and_pullback(f, *x, **kwargs)[1](seed)
    return answer


def pushed(f: Any, x: tuple[Any, ...], dx: tuple[Any, ...], **kwargs: Any) -> Any:
    """Value and tangent by a rule, which there must be."""
    applied = cr.apply_frule(f, x, dx, **kwargs)
    assert applied is not None, f"no forward rule for {f}"
    return applied


def unary(answer: Any, kind: Any = float) -> tuple[Callable[[Any], Any], Any]:
    """A function, and its reverse rule for one kind of argument whose pullback returns `answer`."""

    def primal(x):
        return 2.0 * x

    def primal_rrule(x: kind):
        def primal_pullback(y_bar):
            return answer

        return primal(x), primal_pullback

    cr.rrule(primal)(primal_rrule)
    return primal, primal_rrule
