"""Copying: what a rule is given in place of an array that is changed after the call.

A pullback may keep what its rule was given. Where the program changes that later, the rule gets a copy; but
never where the call passes on the very objects that it is given, which the program then knows by two names.
"""

from __future__ import annotations

import copy
import functools
import heapq
import itertools
import types
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....core.callables import Attribute, call_operator
from ....core.changes import changes_first, is_passing, passes_on
from ....core.registry import rules_of
from ....core.sequences import items
from ..reading.callees import LIBRARY
from ..reading.resolver import HARMLESS, VIEWS
from ..syntax.site import Site, site_called
from ..values.aliases import refreshed
from ..values.protocols import is_computed
from ..values.writing import operand, put_attribute, put_item, snapshot
from .augmented import Augmented
from .detaching import detached, own_part, taken
from .keeping import is_authors, module_of, refuse_overlap
from .owning import Copies

Values = tuple[Any, ...]


for _f in (
    *(copy.copy, copy.deepcopy, detached, items, iter, max, min, next, refreshed, own_part, sum),
    *(put_attribute, put_item, sorted, taken, setattr, object.__setattr__, operand, snapshot),
    *(functools.reduce, heapq.nlargest, heapq.nsmallest, itertools.tee),
):
    passes_on(_f)


def _gives_views(f: Any) -> bool:
    """Whether a function has the name of one of NumPy's that returns a view of what it is given."""
    return getattr(f, "__name__", "") in VIEWS


def copies(f: Any) -> bool:
    """Whether a call of f gets copies of what may change later: it has a rule, and returns something new."""
    if isinstance(f, types.MethodType):
        return rules_of(f.__func__) is not None and copies(f.__func__)
    if isinstance(f, functools.partial):
        return copies(f.func)
    if isinstance(f, types.MethodDescriptorType):  # the copy of a list holds the list's own items
        return issubclass(f.__objclass__, np.ndarray) and f.__name__ in HARMLESS
    if isinstance(f, types.BuiltinMethodType) and not isinstance(f.__self__, types.ModuleType):
        return isinstance(f.__self__, np.ndarray) and f.__name__ in HARMLESS
    if isinstance(f, type | Attribute) or (_gives_views(f) and not is_authors(f)):
        return False
    if changes_first(f) or is_passing(f):  # which put the very objects into another, or return them
        return False
    if isinstance(f, LIBRARY):
        return True
    call = call_operator(f)
    if call is not None and is_passing(call):
        return False
    rules = rules_of(f) or (None if call is None else rules_of(call))  # else it may pass on what it is given
    return rules is not None and rules.non_differentiable is None  # which may ask what an object is


def as_given(site: Site, f: Any, name: str, operands: Values) -> tuple[Any, Values]:
    """The callee and operands of a site, with copies of those that may change later but not by this call."""
    if site.unsettled and site.callee == "plain":
        args, kwargs, _ = site.layout.spread(operands)
        f = settled(f, args, kwargs)
    if not site.shared:
        return f, operands
    later = [c and i not in site.writes for i, c in enumerate(site.shared)]
    return with_copies(site, f, name, operands, later)


def with_copies(site: Site, f: Any, name: str, operands: Values, which: Sequence[bool]) -> tuple[Any, Values]:
    """The same with copies of these, the callee first where it varies, if the call makes something new."""
    ran = _ran(site, f, name, operands)
    if ran is None or not (copies(ran.f) or ran.computes()) or ran.may_pass_on():
        return f, operands
    made = Copies().of if is_authors(ran.f) else operand if _is_operator(ran.f) else snapshot
    if site.callee != "plain":
        f = made(f) if which[0] else f
        which = which[1:]
    return f, tuple(made(x) if copy else x for x, copy in zip(operands, which, strict=True))


class _Ran(NamedTuple):
    site: Site
    f: Any
    operands: Values

    def computes(self) -> bool:
        f = self.f.func if isinstance(self.f, functools.partial) else self.f
        args, kwargs, _ = self.site.layout.spread(self.operands) if _may_compute(f) else ((), {}, ())
        return _computes(self.f, args, kwargs)

    def may_pass_on(self) -> bool:
        """Whether this is `a.astype(…)` told not to copy, whose value may be a itself."""
        if getattr(self.f, "__name__", "") != "astype":
            return False
        args, kwargs, _ = self.site.layout.spread(self.operands)
        before = 4 + isinstance(self.f, types.MethodDescriptorType)
        copy = kwargs.get("copy", True) if len(args) <= before else args[before]
        return isinstance(copy, np.ndarray) or not copy


def _ran(site: Site, f: Any, name: str, operands: Values) -> _Ran | None:
    """What a call of f or of its method runs, by itself or in a program; None for this library's own."""
    inner = site_called(f)
    if inner is not None:
        if inner.writes:
            return None
        site, (f, *rest) = inner, operands[inner.mode == "forward" :]
        name, operands = (rest[0], tuple(rest[1:])) if inner.callee == "method" else ("", tuple(rest))
    if name and is_computed(f, name):  # which takes running code to tell
        return None
    f = getattr(f, name, None) if name else f
    if inner is not None and module_of(f).startswith("chainrules."):
        return None
    return _Ran(site, f, operands)


def refuse_passing_on(site: Site, name: str, y: Any, given: Values, copies: Values) -> None:
    """Refuse what a rule of a user's returned that shares memory with a copy, which nobody would see change.

    `given` are the callee and the operands of a call, `copies` those that it got.
    """
    if isinstance(given[0], LIBRARY):
        return
    copied = [own for x, own in zip(given, copies, strict=True) if x is not own]
    if not copied:
        return
    if (ran := _ran(site, given[0], name, given[1:])) is None or not is_authors(ran.f):
        return
    inner = site_called(given[0])
    if inner is not None:  # whose value comes with a tangent or a pullback
        y, copied = y[0], [own for own in copied if own is not copies[1] or inner.mode == "reverse"]
    refuse_overlap(y, copied)


def _may_compute(f: Any) -> bool:
    return f is np.einsum or f is np.nan_to_num


def _computes(f: Any, args: Values, kwargs: Mapping[str, Any]) -> bool:
    """Whether a function that can give views makes something new of these."""
    if isinstance(f, functools.partial):
        return _computes(f.func, (*f.args, *args), {**f.keywords, **kwargs})
    if not _may_compute(f):
        return False
    if f is np.nan_to_num:
        return len(args) == 1 and "copy" not in kwargs
    return len(args) > (2 if isinstance(args[0], str) else 3)


def settled(f: Any, args: Values, kwargs: Mapping[str, Any]) -> Any:
    """A callable that varies, with copies of what it holds, where it has a rule and returns something new.

    What a partial or a method holds may change later, whether or not the call's site shows it.
    """
    if isinstance(f, functools.partial) and rules_of(f) is None:
        return Copies().of(f) if copies(f) or _computes(f, args, kwargs) else f
    if isinstance(f, types.BuiltinMethodType | types.MethodType):
        return Copies().of(f) if copies(f) else f
    by_class = rules_of(f) is None and call_operator(f) is not None
    return Copies().of(f) if by_class and copies(f) else f


def as_now(f: Any, x: Values, kwargs: dict[str, Any]) -> tuple[Any, Values, dict[str, Any]]:
    """A call by an operator, as of `grad`, whose rule may keep what may change later: of copies."""
    if not (copies(f) or _computes(f, x, kwargs)):
        return f, x, kwargs
    of = Copies().of if is_authors(f) else snapshot
    return settled(f, x, kwargs), tuple(map(of, x)), {k: of(v) for k, v in kwargs.items()}


def partial_now(f: functools.partial[Any]) -> functools.partial[Any]:
    """A partial of a Python function that holds copies of what may be changed later."""
    return functools.partial(f.func, *map(snapshot, f.args), **snapshot(f.keywords))


def _is_operator(f: Any) -> bool:
    """Whether a call is of an operator: of a list it makes a list."""
    return type(f) is Augmented or getattr(f, "__module__", "") == "_operator"
