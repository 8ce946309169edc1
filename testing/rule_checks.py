"""`check_rule`, `check_frule`, `check_rrule`: a rule held to its whole contract in one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .case import Case
from .checks import FORWARD, REVERSE, adjoint_identity
from .checks.declared import without_derivative
from .random import WithTangent
from .sources import RuleSource


def check_rule(f: Callable[..., Any], *x: Any, **kwargs: Any) -> None:
    """Check the rules of f in both modes at one point; silent where everything holds.

    Value, arity, kinds and spaces of cotangents, finite differences for each argument in both modes,
    ⟨x̄, ẋ⟩ = ⟨ȳ, ẏ⟩, linearity, repeated calls, borrowed seeds, unchanged inputs, thunked, zero and
    partial seeds. A callable declared `reverse_only` or `forward_only` is checked in that mode.

    Shapes:  any primals that have tangents; kwargs go to f as they are. `with_tangent(x, dx)` says
             a tangent; `with checking(seed=3): ...` sets seed, tolerances and range.
    Raises:  AssertionError that names the check, the argument, both numbers and the seed.
    Example: >>> check_rule(np.multiply, 3.0, np.array([1.0, -2.0]))
    """
    case, source = _case("check_rule", f, x, kwargs)
    if source.rules.non_differentiable is not None:
        return without_derivative(case)
    modes = set(source.rules.only) or {"forward", "reverse"}
    _run(case, (*REVERSE * ("reverse" in modes), *FORWARD * ("forward" in modes)))
    if len(modes) == 2:
        adjoint_identity(case)


def check_rrule(f: Callable[..., Any], *x: Any, **kwargs: Any) -> None:
    """Check the reverse rule of f at one point, as `check_rule` does.

    Raises:  AssertionError that names the check, the argument, both numbers and the seed.
    Example: >>> check_rrule(np.matmul, np.ones((2, 3)), np.ones(3))
    """
    case, source = _case("check_rrule", f, x, kwargs)
    if source.rules.non_differentiable is not None:
        return without_derivative(case)
    _run(case, REVERSE)


def check_frule(f: Callable[..., Any], *x: Any, **kwargs: Any) -> None:
    """Check the forward rule of f at one point, as `check_rule` does.

    Raises:  AssertionError that names the check, the argument, both numbers and the seed.
    Example: >>> check_frule(np.tanh, 0.5)
    """
    case, source = _case("check_frule", f, x, kwargs)
    if source.rules.non_differentiable is not None:
        return without_derivative(case)
    _run(case, FORWARD)


def _case(
    title: str, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Case, RuleSource]:
    primals = tuple(a.primal if isinstance(a, WithTangent) else a for a in x)
    source = RuleSource(f, primals, kwargs)
    return Case(title, f, x, kwargs, source), source


def _run(case: Case, checks: tuple[Callable[[Case], None], ...]) -> None:
    for check in checks:
        check(case)
