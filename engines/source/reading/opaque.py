"""Opaque callables: what happens where neither a rule nor source is to be had.

A call of values that can carry no derivative at all (text, flags, whole numbers used for counting)
runs as written. Whole numbers might still be differentiated, so the answer for them is a promise:
an error if, against expectation, a derivative has to pass. Everything else is refused before the
call, with the chain of calls that led to it and the line to write.
"""

from __future__ import annotations

import difflib
import threading
import types
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....core.callables import name_of
from ....core.errors import AliasedMutationError, ChainRulesError, NoRuleError
from ....core.installed import advice, array_advice, is_followed, is_of_package
from ....core.public_names import coverage_of, public_name
from ....core.registry import Method, registered, rules_of
from ....core.seeds import signature_of_call
from ....tangents import ZERO, NotImplementedTangent, is_zero, ravel
from ..syntax.where import call_chain, show_chain

_NOTHING = (
    int, np.integer, np.bool_, str, bytes, type(None), type, np.dtype, types.ModuleType, slice, range,
    type(threading.Lock()), type(threading.RLock()),
)  # fmt: skip


def may_carry(values: tuple[Any, ...]) -> bool:
    """Whether a derivative in floating point could be in one of these values, or a number be put into one."""
    if any(isinstance(v, list | dict | set | deque) for v in values) and any(_is_number(v) for v in values):
        return True
    return any(_carries(v) for v in values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _carries(value: Any) -> bool:
    if isinstance(value, np.timedelta64):  # to NumPy an integer
        return True
    if isinstance(value, _NOTHING) or value is Ellipsis:
        return False
    if isinstance(value, tuple | list | set | frozenset | deque):
        return any(_carries(v) for v in value)
    if isinstance(value, dict):
        return any(_carries(v) for v in value.values())
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "iubSU"
    return not isinstance(value, types.BuiltinFunctionType | np.ufunc)


def as_written_forward(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, Any]:
    """A call of discrete values that move: its value, and a promise of an error for what came out."""
    y = f(*args, **kwargs)
    numbers = isinstance(y, str | bytes | bytearray | memoryview) or ravel(y)[0].size
    return y, NotImplementedTangent(reason(f, args)) if numbers else ZERO


def as_written(f: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """A call of discrete values: run as it is, and a promise of an error for a pullback."""

    def call(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        count = len(args) + len(kwargs)
        why = reason(f, args)

        def opaque_pullback(y_bar: Any) -> tuple[Any, ...]:
            if is_zero(y_bar):
                return (ZERO,) * count
            return (NotImplementedTangent(why),) * count

        if may_carry((*args, *kwargs.values())):
            raise no_rule("reverse", f, args, kwargs)
        return f(*args, **kwargs), opaque_pullback

    return call


def reason(f: Any, args: tuple[Any, ...]) -> str:
    """Why a derivative of an opaque call is not implemented."""
    shown = signature_of_call(f, args)
    kind = "whole number" if any(map(_is_number, args)) else "text"
    return f"{shown} has no rule, and a derivative with respect to a {kind} reached it"


def mutates(rule: Any) -> tuple[int, ...]:
    """The arguments into which a rule says that its callable writes."""
    return tuple(getattr(getattr(rule, "method", None), "mutates", ()))


def refuse_mutation(f: Any, rule: Any, lent: frozenset[int] = frozenset()) -> None:
    """Raise where a rule says that its callable writes into an argument that was not handed over for it."""
    method: Method | None = getattr(rule, "method", None)
    if method is not None and not set(method.mutates) <= lent:
        raise AliasedMutationError(
            f"{name_of(f)} modifies its argument {method.mutates[0]}; the code that calls it cannot see that",
            where=show_chain(call_chain()),
            closest=str(method),
            next="return the value and store it where the object was made, or pass the object to a function "
            "that is called by its name",
        )


def refuse_installed(mode: str, f: types.FunctionType, args: tuple[Any, ...] = ()) -> None:
    """Raise for a function of an installed package whose source is not followed."""
    if not is_followed(f):
        raise no_rule(mode, f, args, {})


def no_rule(mode: str, f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> NoRuleError:
    """The error for an opaque callable on an active path."""
    if (other := the_other(mode, f)) is not None:
        return _one_mode_only(mode, other, f)
    if isinstance(f, types.FunctionType | type) and is_of_package(f):
        return _no_rule_in_package(mode, f, args)
    name, short = name_of(f), "rrule" if mode == "reverse" else "frule"
    keywords = f", {', '.join(kwargs)}=…" if kwargs else ""
    shown = signature_of_call(f, args)
    line = f"@chainrules.{short}({name})"
    if isinstance(f, np.ufunc):
        line = f"chainrules.scalar_rule({name}, …)"
    listed = coverage_of(name)
    if said := array_advice(*args, *kwargs.values()) or advice(name):
        return NoRuleError(
            f"no {mode} rule for {shown[:-1]}{keywords})", where=show_chain(call_chain()), next=said
        )
    return NoRuleError(
        f"no {mode} rule for {shown[:-1]}{keywords})",
        where=show_chain(call_chain()),
        closest=_joined(_closest(mode, f, name, args), f"`{listed}` lists what has rules" if listed else ""),
        next="compute with the number itself, or report `chainrules.stop_gradient(x)`"
        if any(f is text for text in (str, repr, ascii, format, bytes))
        else f"register one with `{line}`, or keep differentiated values out of the call",
    )


def the_other(mode: str, f: Any) -> str | None:
    """The mode in which alone a callable has rules; None where it has some in this one, or none at all."""
    rules, other = rules_of(f), "forward" if mode == "reverse" else "reverse"
    if rules is None or rules.methods["reverse" if mode == "reverse" else "forward"]:
        return None
    return (
        other if any(m.rule for m in rules.methods["reverse" if other == "reverse" else "forward"]) else None
    )


def named_alone(
    mode: str, f: Any, follow: Callable[..., Any], given: Any, /, *args: Any, **kwargs: Any
) -> Any:
    """A callable with rules in the other mode only, whose body is followed; that is said where it fails."""
    try:
        return follow(f, args, kwargs, given)
    except ChainRulesError as error:
        raise no_rule(mode, f, args, kwargs) from error


def _one_mode_only(mode: str, other: str, f: Any) -> NoRuleError:
    """The error for a callable that has rules in the other mode only."""
    name, short = public_name(f), "rrule" if mode == "reverse" else "frule"
    derivative = "grad, vjp" if other == "reverse" else "jvp, derivative"
    return NoRuleError(
        f"{name} has only a {other} rule, and a {mode} derivative passes through it",
        where=show_chain(call_chain()),
        closest=_closest(other, f, name),
        next=f"write the other, `@chainrules.{short}({name})`, or differentiate by {derivative}",
    )


def _no_rule_in_package(mode: str, f: Any, args: tuple[Any, ...]) -> NoRuleError:
    """The same for a function or class of an installed package."""
    name, short = public_name(f, args), "rrule" if mode == "reverse" else "frule"
    listed, instead = coverage_of(name), advice(f"{f.__module__}.") or advice(name)
    module = f.__module__.partition(".")[0]
    return NoRuleError(
        f"{name} has no rule, and the source of installed packages is not followed",
        where=show_chain(call_chain()),
        closest=_joined(_closest(mode, f, name, args), f"`{listed}` lists what has rules" if listed else ""),
        next=_joined(
            instead,
            f"write one, `@chainrules.{short}({name})`; or `chainrules.follow({module!r})`, if {module}"
            " is yours and its derivatives are checked",
        ),
    )


def _taken(method: Method, name: str) -> str:
    """What a rule takes; of a user's own, its name and place too."""
    shown = str(method)
    if not str(getattr(method.rule, "__module__", "")).startswith("chainrules."):
        return shown
    return f"{name}({shown.partition('(')[2].partition('   ')[0]}"


def _joined(*said: str) -> str:
    return "\n           ".join(filter(None, said))


def _is(x: Any, T: Any) -> bool:
    """Whether a value has a type that a rule says, which may be `Any`."""
    return T is Any or isinstance(x, T)


def _closest(mode: str, f: Any, name: str, args: Any = ()) -> str:
    """The rules of f for other types, those that most arguments fit; else what has almost the same name."""
    rules = rules_of(f)
    methods = [] if rules is None else rules.methods["reverse" if mode == "reverse" else "forward"]
    fits = [sum(map(_is, args, m.signature.types)) for m in methods]
    if methods:
        nearest = [_taken(m, name) for m, fit in zip(methods, fits, strict=True) if fit == max(fits)]
        return "\n           ".join([*dict.fromkeys(nearest)][:3])
    if name.endswith("__"):
        return ""
    full = [name_of(r.f) for r in registered() if r.non_differentiable is None]
    names: dict[str, str] = {}
    for each in full:  # NumPy's come before those that share its rules
        names.setdefault(each.rpartition(".")[2], each)
    near = difflib.get_close_matches(name.rpartition(".")[2], names, n=3, cutoff=0.8)
    return ", ".join(names[each] for each in near)
