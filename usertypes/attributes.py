"""`differentiable` and `derivative`: derivatives declared at a function, or for one that stands elsewhere.

Both write rules into the registry of `frule` and `rrule`, in other shapes:

    tangent(*duals, y)        duals (x, ẋ) of the arguments that vary, others plain, and f's value; gives ẏ
    adjoint(*x, y, y_bar)     gives the cotangents of the arguments that vary
    @derivative(of=f)         (*x) → (value, pullback), or with mode="forward" (value, differential)
    from_bwd(g)               an adjoint of a g(*pairs, d_out) that sets `d` of each pair

Which arguments vary is `wrt`, else all but those annotated `Annotated[T, nondiff]`. `order` says how many
times f may be differentiated by these; without it, as often as `tangent` and `adjoint` themselves can be.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from ..core.callables import name_of
from ..core.errors import NotDifferentiableError, RegistrationError, RuleContractError
from ..core.registry import register
from ..tangents import NO_TANGENT, ZERO, is_zero, materialize
from .limits import Limited, guarded
from .marks import is_marked, read_hint
from .pairing import diff_pair

_Function = TypeVar("_Function", bound=Callable[..., Any])
MODES = ("forward", "reverse", "bidirectional", "linear", "constant")


class NotForwardDifferentiableError(NotDifferentiableError):
    """A function that is declared "reverse" was differentiated forwards."""


class NotReverseDifferentiableError(NotDifferentiableError):
    """A function that is declared "forward" was differentiated in reverse."""


def differentiable(
    mode: str = "bidirectional",
    *,
    wrt: str | int | tuple[str | int, ...] | None = None,
    tangent: Callable[..., Any] | None = None,
    adjoint: Callable[..., Any] | None = None,
    order: int | None = None,
) -> Callable[[_Function], _Function]:
    """Declare how a function is differentiated; the function itself is returned unchanged.

    Shapes:  `mode` is "forward" (by `tangent`), "reverse" (by `adjoint`), "bidirectional" (by both), "linear"
             (its own differential) or "constant" (zero). A Python function may leave both out: its body is
             differentiated. `wrt` names or counts the arguments that vary; `order` bounds how often.
    Raises:  RegistrationError for a mode that there is not, and what is missing for it, by name.
    Example: >>> def twice_the_cube_adjoint(x, y, y_bar): return 6 * x**2 * y_bar
             >>> @differentiable("reverse", adjoint=twice_the_cube_adjoint)
             ... def twice_the_cube(x): return 2 * x**3
             >>> cr.grad(twice_the_cube)(2.0)
             24.0
    """
    if mode not in MODES:
        raise RegistrationError(f"{mode!r} is no way to differentiate", closest=", ".join(MODES))
    if order is not None and (isinstance(order, bool) or not isinstance(order, int) or order < 1):
        raise RegistrationError(
            f"order={order!r} is no number of times", next="give 1 or more, or leave it out"
        )

    def declare(f: _Function) -> _Function:
        varied = _varied(f, wrt)
        _refuse_missing(f, mode, tangent, adjoint)
        _fits(f, tangent, 1, "tangent")
        _fits(f, adjoint, 2, "adjoint")
        if mode == "constant":
            _register(f, _constant_frule(f), _constant_rrule(f))
        elif mode == "linear":
            forward = _linear_frule(f, varied) if tangent is None else _frule(f, tangent, varied, order)
            _register(f, forward, None if adjoint is None else _rrule(f, adjoint, varied, order))
        else:
            forwards = None if tangent is None else _frule(f, tangent, varied, order)
            reverses = None if adjoint is None else _rrule(f, adjoint, varied, order)
            if mode == "reverse" and adjoint is not None:
                forwards = _refusing(f, NotForwardDifferentiableError, "reverse")
            if mode == "forward" and tangent is not None:
                reverses = _refusing(f, NotReverseDifferentiableError, "forward")
            _register(f, forwards, reverses)
        return f

    return declare


def _refuse_missing(f: Any, mode: str, tangent: Any, adjoint: Any) -> None:
    needed = {"forward": ["tangent"], "reverse": ["adjoint"], "bidirectional": ["tangent", "adjoint"]}
    given = {"tangent": tangent, "adjoint": adjoint}
    missing = [name for name in needed.get(mode, ()) if given[name] is None]
    extra = [n for n, v in given.items() if v is not None and mode in needed and n not in needed[mode]]
    if extra:
        raise RegistrationError(
            f"{name_of(f)} is declared {mode} and given {extra[0]}=", next='declare it "bidirectional"'
        )
    with_body = inspect.isfunction(f) and not any(v is not None for v in given.values())
    if missing and not with_body:
        raise RegistrationError(
            f"{name_of(f)} is declared {mode} without {' and '.join(f'{name}=' for name in missing)}",
            closest="a Python function needs none of them: its body is differentiated",
            next=f"give {missing[0]}= a function, or declare it in the mode that the others are for",
        )


def _parameters(f: Any) -> list[inspect.Parameter]:
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError) as error:
        raise RegistrationError(
            f"the parameters of {name_of(f)} cannot be read",
            next="wrap it in a Python function, and declare that",
        ) from error
    if bad := [p.name for p in parameters if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]:
        raise RegistrationError(
            f"{name_of(f)} takes *{bad[0]}, of no fixed number", next="use rrule and frule"
        )
    return parameters


def _positional(f: Any) -> list[inspect.Parameter]:
    return [p for p in _parameters(f) if p.kind is not p.KEYWORD_ONLY]


def _varied(f: Any, wrt: Any) -> tuple[bool, ...]:
    """Which positional parameters of f vary."""
    parameters = _positional(f)
    names = [p.name for p in parameters]
    if wrt is None:
        module = vars(sys.modules[f.__module__]) if getattr(f, "__module__", None) in sys.modules else {}
        varied = tuple(not is_marked(read_hint(p.annotation, module)) for p in parameters)
    else:
        chosen = wrt if isinstance(wrt, tuple) else (wrt,)
        known = [*names, *range(len(names))]
        if unknown := [w for w in chosen if w not in known]:
            raise RegistrationError(
                f"{name_of(f)} has no parameter {unknown[0]!r} to vary", closest=f"it has {', '.join(names)}"
            )
        varied = tuple(name in chosen or i in chosen for i, name in enumerate(names))
    if not any(varied):
        raise RegistrationError(
            f"no parameter of {name_of(f)} varies", next="leave out a mark, or name one in wrt="
        )
    return varied


def _fits(f: Any, given: Any, more: int, name: str) -> None:
    """Refuse a tangent or adjoint function that cannot be called with the arguments of f and these more."""
    if given is None:
        return
    count = len(_positional(f)) + more
    try:
        inspect.signature(given).bind(*range(count))
    except ValueError:
        return
    except TypeError as error:
        after = "f's value" if more == 1 else "f's value and its cotangent"
        raise RegistrationError(
            f"{name}={name_of(given)} cannot be called with {count} arguments: {error}",
            closest=f"it is given the {count - more} arguments of {name_of(f)}, then {after}",
        ) from error


def _register(f: Any, frule: Any, rrule: Any) -> None:
    """Register rules that take what f takes, by its own signature."""
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in _parameters(f)]
    first = inspect.Parameter("tangents", inspect.Parameter.POSITIONAL_ONLY)
    head = [
        p.replace(kind=inspect.Parameter.POSITIONAL_ONLY) if p.kind is not p.KEYWORD_ONLY else p for p in bare
    ]
    for rule, mode, parameters in ((frule, "forward", [first, *head]), (rrule, "reverse", head)):
        if rule is not None:
            named = _named(rule, f, mode)
            named.__signature__ = inspect.Signature(parameters)
            register(f, named, mode)  # type: ignore[arg-type]  # one of the two modes


def _named(rule: Any, f: Any, mode: str) -> Any:
    def declared_rule(*args: Any, **kwargs: Any) -> Any:
        return rule(*args, **kwargs)

    declared_rule.__name__ = f"{getattr(f, '__name__', 'f')}_{'frule' if mode == 'forward' else 'rrule'}"
    declared_rule.__qualname__ = declared_rule.__name__
    declared_rule.__doc__ = f"declared with {name_of(f)}"
    declared_rule.__module__ = getattr(f, "__module__", __name__)
    return declared_rule


def _frule(f: Any, tangent: Any, varied: tuple[bool, ...], order: int | None) -> Any:
    limited = Limited(tangent, None if order is None else order - 1, name_of(f))

    def rule(tangents: Any, *x: Any, **kwargs: Any) -> Any:
        y = f(*x, **kwargs)
        if all(is_zero(t) for t, v in zip(tangents, varied, strict=False) if v):
            return y, ZERO
        duals = [
            (p, materialize(t, like=p)) if v else p for p, t, v in zip(x, tangents, varied, strict=False)
        ]
        return y, guarded(limited, (*duals, y))

    return rule


def _rrule(f: Any, adjoint: Any, varied: tuple[bool, ...], order: int | None) -> Any:
    limited = Limited(adjoint, None if order is None else order - 1, name_of(f))

    def rule(*x: Any, **kwargs: Any) -> Any:
        y = f(*x, **kwargs)

        def pullback(y_bar: Any) -> Any:
            return spread(f, guarded(limited, (*x, y, y_bar)), varied[: len(x)])

        return y, pullback

    return rule


def spread(f: Any, cotangents: Any, varied: tuple[bool, ...]) -> Any:
    """One cotangent for each argument, of those for the arguments that vary."""
    if not isinstance(cotangents, tuple):
        cotangents = (cotangents,)
    if len(cotangents) != sum(varied):
        raise RuleContractError(
            f"the adjoint of {name_of(f)} gave {len(cotangents)} cotangents for {sum(varied)} arguments",
            next="return one for each argument that varies, in order",
        )
    given = iter(cotangents)
    return tuple([next(given) if v else NO_TANGENT for v in varied])


def _refusing(f: Any, error: type[NotDifferentiableError], mode: str) -> Any:
    def rule(*given: Any, **kwargs: Any) -> Any:
        raise error(
            f"{name_of(f)} is declared {mode}, and has no other derivative",
            next=f'declare it "bidirectional", with both functions, or differentiate it in {mode} mode',
        )

    return rule


def _constant_frule(f: Any) -> Any:
    return lambda tangents, *x, **kwargs: (f(*x, **kwargs), ZERO)


def _constant_rrule(f: Any) -> Any:
    def rule(*x: Any, **kwargs: Any) -> Any:
        return f(*x, **kwargs), lambda y_bar: (ZERO,) * len(x)

    return rule


def _linear_frule(f: Any, varied: tuple[bool, ...]) -> Any:
    def rule(tangents: Any, *x: Any, **kwargs: Any) -> Any:
        moved = [materialize(t, like=p) if v else p for p, t, v in zip(x, tangents, varied, strict=False)]
        return f(*x, **kwargs), f(*moved, **kwargs)

    return rule


def derivative(*, of: Callable[..., Any], mode: str = "reverse") -> Callable[[_Function], _Function]:
    """Register a derivative of a function that stands elsewhere: `(*x) → (value, pullback)`.

    Shapes:  the pullback gives one cotangent for each argument. With `mode="forward"` the second is the
             differential, which takes one tangent for each argument.
    Raises:  RegistrationError where f has one already, or for another mode.
    Example: >>> def cubed(x): return x**3
             >>> @derivative(of=cubed)
             ... def cubed_derivative(x): return cubed(x), lambda y_bar: 3 * x**2 * y_bar
             >>> cr.grad(cubed)(2.0)
             12.0
    """
    if mode not in ("forward", "reverse"):
        raise RegistrationError(f"{mode!r} is no mode of a derivative", closest="forward, reverse")

    def declare(g: _Function) -> _Function:
        if len(_positional(g)) != len(_positional(of)):
            raise RegistrationError(
                f"{name_of(g)} takes {len(_positional(g))} arguments, {name_of(of)} {len(_positional(of))}",
                next="a derivative takes what its function takes",
            )
        if mode == "reverse":
            _register(of, None, g)
        else:

            def rule(tangents: Any, *x: Any, **kwargs: Any) -> Any:
                y, differential = g(*x, **kwargs)
                return y, differential(*[materialize(t, like=p) for p, t in zip(x, tangents, strict=True)])

            _register(of, rule, None)
        return g

    return declare


def from_bwd(bwd: Callable[..., Any]) -> Callable[..., Any]:
    """The adjoint that a reverse derivative in Slang's shape is: `bwd(*pairs, d_out)` sets `d` of each pair.

    Example: >>> def square_bwd(a, d_out): a.d = 2 * a.p * d_out
             >>> from_bwd(square_bwd)(3.0, 9.0, 1.0)
             (6.0,)
    """

    def adjoint(*given: Any) -> Any:
        *x, _, y_bar = given
        pairs = [diff_pair(v) for v in x]
        bwd(*pairs, y_bar)
        return tuple([pair.d for pair in pairs if pair.d is not None])

    return adjoint
