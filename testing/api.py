"""The checks that a person calls: a rule held to its whole contract, a program held to differences.

All are silent where everything holds and raise an `AssertionError` where something does not. Their
settings (seed, tolerances, range) are given around the call, with `checking`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import Engine, default_engine, engine_or_default
from .case import Case
from .changing import with_states
from .checks import FORWARD, REVERSE, adjoint_identity
from .checks.declared import without_derivative
from .checks.templates import templates
from .programs import check_program
from .random import WithTangent
from .settings import current
from .shrinking import with_smallest
from .sources import EngineSource, RuleSource
from .variations import outcome, variations


def check_rule(f: Callable[..., Any], *x: Any, **kwargs: Any) -> None:
    """Check the rules of f in both modes at one point; silent where everything holds.

    Value, arity, kinds and spaces of cotangents, finite differences for each argument in both modes,
    ⟨x̄, ẋ⟩ = ⟨ȳ, ẏ⟩, linearity, repeated calls, borrowed seeds, unchanged inputs, thunked, zero and
    partial seeds. A callable declared `reverse_only` or `forward_only` is checked in that mode.

    Shapes:  any primals that have tangents; kwargs go to f as they are. `with_tangent(x, dx)` says
             a tangent; `with checking(seed=3): ...` sets seed, tolerances and range, with order=2
             differentiates the rules themselves, and with vary=True checks variations of the call:
             float32, complex64, complex128, no axes, empty, length one, a stack, stretched.
    Raises:  AssertionError that names the check, the argument, both numbers and the seed.
    Example: >>> check_rule(np.multiply, 3.0, np.array([1.0, -2.0]))
    """

    def check(*x: Any) -> None:
        _both_modes(f, x, kwargs)

    with_smallest(check, x)
    for variation in variations(x) if current().vary else ():
        outcome(check, f, variation, kwargs)


def _both_modes(f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    case, source = _case("check_rule", f, x, kwargs)
    if source.rules.non_differentiable is not None:
        return without_derivative(case)
    modes: set[str] = set(source.rules.only) or {"forward", "reverse"}
    _run(case, (*REVERSE * ("reverse" in modes), *FORWARD * ("forward" in modes)))
    if len(modes) == 2:
        adjoint_identity(case)
    _derived(f, source, x, kwargs, modes)
    templates(case, f, x, kwargs)


def check_rrule(f: Callable[..., Any], *x: Any, **kwargs: Any) -> None:
    """Check the reverse rule of f at one point, as `check_rule` does.

    Raises:  AssertionError that names the check, the argument, both numbers and the seed.
    Example: >>> check_rrule(np.matmul, np.ones((2, 3)), np.ones(3))
    """
    with_smallest(lambda *x: _reverse_mode(f, x, kwargs), x)


def _reverse_mode(f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    case, source = _case("check_rrule", f, x, kwargs)
    if source.rules.non_differentiable is not None:
        return without_derivative(case)
    _run(case, REVERSE)


def check_frule(f: Callable[..., Any], *x: Any, **kwargs: Any) -> None:
    """Check the forward rule of f at one point, as `check_rule` does.

    Raises:  AssertionError that names the check, the argument, both numbers and the seed.
    Example: >>> check_frule(np.tanh, 0.5)
    """
    with_smallest(lambda *x: _forward_mode(f, x, kwargs), x)


def _forward_mode(f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    case, source = _case("check_frule", f, x, kwargs)
    if source.rules.non_differentiable is not None:
        return without_derivative(case)
    _run(case, FORWARD)


def check_grads(
    f: Callable[..., Any],
    *x: Any,
    order: int = 2,
    modes: Sequence[str] = ("fwd", "rev"),
    engine: Engine | str | None = None,
) -> None:
    """Check an engine's derivatives of a whole program against differences, up to this order.

    Each order is checked in each mode: with both, the second order in all four combinations.

    Shapes:  any primals; f may return arrays and containers. Without `engine`, the default one.
    Raises:  AssertionError that names the order, check, argument, both numbers and the seed;
             ValueError for a mode that is not "fwd" or "rev".
    Example: >>> check_grads(np.tanh, 0.5, order=1)
    """
    if unknown := set(modes) - {"fwd", "rev"} or (set() if modes else {"no mode"}):
        raise ValueError(f'modes are "fwd" and "rev", not {", ".join(sorted(unknown))}')
    source = EngineSource(f, engine_or_default(engine))
    check_program(f, source, x, order, tuple(modes))


def _case(
    title: str, f: Callable[..., Any], x: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Case, RuleSource]:
    primals = tuple(a.primal if isinstance(a, WithTangent) else a for a in x)
    source = RuleSource(f, primals, kwargs)
    return Case(title, f, x, kwargs, source), source


def _derived(
    f: Callable[..., Any], source: RuleSource, x: tuple[Any, ...], kwargs: dict[str, Any], modes: set[str]
) -> None:
    """The rules differentiated, where a higher order is asked for."""
    order = current().order
    if order > 1:

        def called(*x: Any) -> Any:
            return f(*x, **kwargs)

        changing = with_states(f, len(x), kwargs, source.places) if source.mutates else f
        program = EngineSource(called if kwargs and not source.mutates else changing, default_engine())
        taken = tuple(m for m in ("fwd", "rev") if _LONG[m] in modes)
        check_program(f, program, x, order, taken, kwargs=kwargs)


_LONG = {"fwd": "forward", "rev": "reverse"}


def _run(case: Case, checks: tuple[Callable[[Case], None], ...]) -> None:
    for check in checks:
        check(case)
