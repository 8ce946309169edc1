"""Looking: the rules of calls, each looked up once for callables that last."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, ModuleType, WrapperDescriptorType
from typing import Any

import numpy as np

from ...core.caches import generation, keep, new_cache
from ...core.callables import Attribute
from ...core.forward import forward_rule
from ...core.lookup import find
from ...core.registry import rules_of
from ...core.reverse import reverse_rule
from .keeping import of_users
from .natives import BINARY, MIRRORED, UNARY

_reverse, _forward = new_cache(), new_cache()
QUICK_REVERSE, QUICK_FORWARD = new_cache(), new_cache()
"""The rules of quick calls, by callable, types, and which of these vary; False where there is none."""
_LASTING = (type, Attribute, MethodDescriptorType, WrapperDescriptorType)
_OWN = f"{__name__.partition('.')[0]}."
_HARMLESS = frozenset(map(id, map(operator.__dict__.get, ("getitem", *BINARY, *UNARY, *MIRRORED))))
"""Operators, which change nothing, by identity."""


def lasting(f: Any) -> bool:
    """Whether a callable lives as long as the program, so that a cache may hold it."""
    if isinstance(f, BuiltinFunctionType):
        return f.__self__ is None or isinstance(f.__self__, ModuleType)
    if type(f) is FunctionType:  # by its own name, of this library or one that has rules here
        module = f.__module__ or ""
        if not (module.startswith(_OWN) or (module.startswith("scipy.") and rules_of(f) is not None)):
            return False
        return getattr(sys.modules.get(module), f.__name__, None) is f
    return isinstance(f, _LASTING) or type(f).__module__ == "numpy"


def rule_in_reverse(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: tuple[bool, ...], engine: Any
) -> tuple[Any, bool, tuple[int, ...]] | None:
    """The rule of a call, whether it is one of a user's, and what it changes; None where there is none."""

    def look() -> Any:
        rule = reverse_rule(f, args, kwargs, needs, engine)
        return None if rule is None else (rule, of_users(rule), changed_by(rule))

    return _found(_reverse, f, (needs, *map(type, args)), kwargs, look)  # type: ignore[no-any-return]  # as look


def rule_forward(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], engine: Any
) -> tuple[Any, tuple[int, ...]] | None:
    """The forward rule of a call, and what it changes; None where there is none."""

    def look() -> Any:
        rule = forward_rule(f, args, kwargs, engine)
        return None if rule is None else (rule, changed_by(rule))

    return _found(_forward, f, tuple(map(type, args)), kwargs, look)  # type: ignore[no-any-return]  # as look


def quick_rule(run: Any, key: tuple[Any, ...], args: tuple[Any, ...], needs: tuple[bool, ...]) -> Any:
    """The rule of a quick call, which is none of a user's and changes nothing; False without one."""
    cache = QUICK_FORWARD if run.forward else QUICK_REVERSE
    since = generation()
    if run.forward:
        found: Any = rule_forward(key[0], args, {}, run.engine)
    else:
        found = rule_in_reverse(key[0], args, {}, needs, run.engine)
    rule = found is not None and not found[-1] and not of_users(found[0]) and found[0]
    keep(cache, key, rule, since)
    return rule


def has_rule(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *modes: Any) -> bool:
    """Whether there is a rule of one of these modes for a call."""
    return any(find(mode, f, args, kwargs) is not None for mode in modes)


def may_write(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call may change what it is given, as far as f's rules and the operators' names tell."""
    if id(f) in _HARMLESS:
        return False
    rules = rules_of(f)
    if rules is None:
        return True
    if isinstance(f, np.ufunc):
        return len(args) > f.nin or kwargs.get("out") is not None
    return kwargs.get("out") is not None or any_changes(f)


def any_changes(f: Any) -> bool:
    """Whether f has rules that change arguments, or no rules, so that what it does is not known."""
    rules = rules_of(f)
    return rules is None or any(m.mutates for ms in rules.methods.values() for m in ms)


def changed_by(rule: Any) -> tuple[int, ...]:
    """The arguments that a rule changes, by its own count."""
    method: Any = getattr(rule, "method", None)
    return () if method is None else method.mutates


def _found(cache: Any, f: Any, about: tuple[Any, ...], kwargs: Any, look: Callable[[], Any]) -> Any:
    if kwargs or not lasting(f):
        return look()
    key = (f, about)
    known = cache.get(key)
    if known is None:
        since = generation()
        known = look()
        if known is not None:
            keep(cache, key, known, since)
    return known
