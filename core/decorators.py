"""What a rule author writes: the decorators that register rules, and the declarations beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import caches, registry
from .callables import attribute, name_of
from .errors import RegistrationError
from .signatures import SignatureOf

Rule = TypeVar("Rule", bound=Callable[..., Any])


def rrule(
    f: Callable[..., Any],
    *of: Any,
    mutates: tuple[int, ...] = (),
    lazy_seed: bool = False,
    light_seed: bool = False,
    signature: str | SignatureOf | None = None,
    complete: bool = False,
    still: tuple[str, ...] = (),
) -> Callable[[Rule], Rule]:
    """Register a reverse rule of f: `rule(*data, **metadata)` returns `(value, pullback)`.

    The rule's positional parameters are data, annotated with plain classes or their unions; its
    keyword-only ones metadata, named as f names them. The pullback returns one cotangent for each
    data parameter. `rrule(getattr, P, "name")` is the rule for reading an attribute of P's objects.

    Args:    mutates: the data arguments whose state f changes; `lazy_seed`: the pullback takes seeds
             unforced, zeros too; `light_seed`: it takes indexed tangents as they are, since all that it
             calls with them keeps them so; `signature`: f's, where Python cannot read it, or a function
             that computes it from the first argument of a call, the same for all objects of one class;
             `complete`: the rule keeps seeds, projection and arity itself, and is called without a wrapper;
             `still`: the names of metadata that has no part in the derivative, as where a search begins, so
             that it may vary.
    Raises:  RegistrationError where the rule does not fit f or another rule of it.
    Example: >>> def cube(x):
             ...     return x**3
             >>> @rrule(cube)
             ... def cube_rrule(x: float):
             ...     def cube_pullback(y_bar):
             ...         return 3 * x**2 * y_bar
             ...     return cube(x), cube_pullback
             >>> cr.apply_rrule(cube, 2.0)[1](1.0)
             (12.0,)
    """
    key, types = _key(f, of)

    def register(rule: Rule) -> Rule:
        registry.register(
            key,
            rule,
            "reverse",
            types=types,
            declared=signature,
            mutates=mutates,
            lazy_seed=lazy_seed,
            light_seed=light_seed,
            complete=complete,
            still=still,
        )
        return rule

    return register


def frule(
    f: Callable[..., Any],
    *of: Any,
    mutates: tuple[int, ...] = (),
    lazy_seed: bool = False,
    signature: str | SignatureOf | None = None,
    complete: bool = False,
    still: tuple[str, ...] = (),
) -> Callable[[Rule], Rule]:
    """Register a forward rule of f: `rule(tangents, *data, **metadata)` returns `(value, tangent)`.

    `tangents` holds one tangent for each data argument; one that is zero arrives as `Zero()`. The
    rest as for `rrule`; a rule that mutates returns the tangents of the states as a third entry.

    Raises:  RegistrationError where the rule does not fit f or another rule of it.
    Example: >>> def cube(x):
             ...     return x**3
             >>> @frule(cube)
             ... def cube_frule(tangents, x: float):
             ...     return cube(x), 3 * x**2 * tangents[0]
             >>> cr.apply_frule(cube, (2.0,), (1.0,))
             (8.0, 12.0)
    """
    key, types = _key(f, of)

    def register(rule: Rule) -> Rule:
        registry.register(
            key,
            rule,
            "forward",
            types=types,
            declared=signature,
            mutates=mutates,
            lazy_seed=lazy_seed,
            complete=complete,
            still=still,
        )
        return rule

    return register


def non_differentiable(*functions: Callable[..., Any], why: str) -> None:
    """Declare that these have no derivative at all: every argument's cotangent is `NoTangent()`.

    Example: >>> def bucket(x):
             ...     return int(x // 10)
             >>> non_differentiable(bucket, why="returns an index")
             >>> cr.apply_rrule(bucket, 25.0)[1](1.0)
             (NoTangent(),)
    """
    if not why:
        raise RegistrationError("non_differentiable without a reason", next='say why="returns indices"')
    with caches.lock:
        entries = [registry.entry_of(f) for f in functions]
        for rules in entries:
            if any(rules.methods.values()):
                raise RegistrationError(
                    f"{name_of(rules.f)} has rules, so it is differentiable",
                    closest=str(next(m for ms in rules.methods.values() for m in ms)),
                    next="opt_out(f, *types) the types that are not",
                )
        for rules in entries:
            rules.non_differentiable = why
            registry.keep(rules)


def opt_out(f: Callable[..., Any], *types: Any) -> None:
    """Declare that a more general rule of f must not apply to data of these types, in either mode.

    Example: >>> class Meters(float):
             ...     pass
             >>> opt_out(np.cosh, Meters)
             >>> cr.apply_rrule(np.cosh, Meters(1.0)) is None
             True
    """
    registry.opt_out(f, types)


def reverse_only(f: Callable[..., Any], *, why: str) -> None:
    """Declare that f has a reverse rule and no forward rule, and why.

    Example: >>> def solve_backwards(x):
             ...     return x
             >>> reverse_only(solve_backwards, why="only its adjoint equation is implemented")
             >>> cr.rules_for(solve_backwards).only
             {'reverse': 'only its adjoint equation is implemented'}
    """
    _only(f, "reverse", why)


def forward_only(f: Callable[..., Any], *, why: str) -> None:
    """Declare that f has a forward rule and no reverse rule, and why.

    Example: >>> def stream(x):
             ...     return x
             >>> forward_only(stream, why="its history is not kept")
             >>> cr.rules_for(stream).only
             {'forward': 'its history is not kept'}
    """
    _only(f, "forward", why)


def _only(f: Callable[..., Any], mode: registry.Mode, why: str) -> None:
    if not why:
        raise RegistrationError(f"{mode}_only without a reason", next="say why")
    with caches.lock:
        rules = registry.entry_of(f)
        rules.only[mode] = why
        registry.keep(rules)


def _key(f: Callable[..., Any], of: tuple[Any, ...]) -> tuple[Callable[..., Any], tuple[Any, ...] | None]:
    """The callable that the rule is keyed by, and the data types where the decorator gives them."""
    if not of:
        return f, None
    if f is not getattr or len(of) != 2 or not isinstance(of[1], str):
        raise RegistrationError(
            f"a rule takes one callable, not {name_of(f)} with {of!r}",
            closest='@rrule(getattr, P, "name") for an attribute of P',
            next="give the argument types as annotations of the rule's parameters",
        )
    return attribute(of[1]), (of[0],)
