"""Opaque callables: what happens where neither a rule nor source is to be had.

A call of values that can carry no derivative at all (text, flags, whole numbers used for counting)
runs as written. Whole numbers might still be differentiated, so the answer for them is a promise:
an error if, against expectation, a derivative has to pass. Everything else is refused before the
call, with the chain of calls that led to it and the line to write.
"""

from __future__ import annotations

import difflib
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.callables import name_of
from ....core.errors import NoRuleError
from ....core.installed import advice, array_advice, is_of_package
from ....core.public_names import coverage_of, public_name
from ....core.registry import Method, registered, rules_of
from ....core.seeds import signature_of_call
from ..syntax.where import call_chain, show_chain


def _is_number(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def reason(f: Any, args: tuple[Any, ...]) -> str:
    """Why a derivative of an opaque call is not implemented."""
    shown = signature_of_call(f, args)
    kind = "whole number" if any(map(_is_number, args)) else "text"
    return f"{shown} has no rule, and a derivative with respect to a {kind} reached it"


def mutates(rule: Any) -> tuple[int, ...]:
    """The arguments into which a rule says that its callable writes."""
    return tuple(getattr(getattr(rule, "method", None), "mutates", ()))


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
    near = "" if instead else _closest(mode, f, name, args)  # by its name, which says less
    return NoRuleError(
        f"{name} has no rule, and the source of installed packages is not followed",
        where=show_chain(call_chain()),
        closest=_joined(near, f"`{listed}` lists what has rules" if listed else ""),
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
    if "." not in name:  # Python's own: what is spelt almost as `iter` does something else
        return ""
    near = difflib.get_close_matches(name.rpartition(".")[2], names, n=3, cutoff=0.8)
    return ", ".join(names[each] for each in near)
