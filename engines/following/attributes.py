"""Attributes: `x.name`, and stores into it, by what Python's classes say of them."""

from __future__ import annotations

import functools
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ...core.caches import generation, keep, new_cache
from ...core.callables import attribute, describe
from ...core.errors import AliasedMutationError
from ...core.installed import is_followed
from ...core.loading import load_for
from ...core.lookup import find
from ...core.overriding import redefined
from ...core.registry import rules_of
from ...tangents.naturals import zero_of
from ...tangents.own_dict import own_dict
from ...tangents.structure import is_shown, named_parts
from .another import another
from .calls import call, perform, site
from .fields import field_of
from .here import here
from .items import setitem, stored
from .leaves import PLAIN, is_foreign, is_handle, is_leaf, is_result, leaves_in
from .looking import has_rule
from .natives import CONTAINERS
from .refusing import assigned, given_to_a_class, no_rule

_NUMBERS = (np.ndarray, np.generic, float, int, complex)
_BUILT_IN = ("builtins", "numpy")
_BY_OBJECT = CONTAINERS | {ModuleType}
_PLAIN = ("plain", None)
_ways: dict[Any, tuple[str, Any]] = new_cache()
_plain: dict[Any, bool] = new_cache()  # classes with names that are read as they stand
_put: dict[Any, bool] = new_cache()  # the same of stores


def is_plain(kind: type, name: str) -> bool:
    """Whether an attribute of objects of a class is read as it stands."""
    return (kind, name) in _plain


@site
def attr(x: Any, name: str) -> Any:
    """`x.name`"""
    kind = type(x)
    if not here.runs or kind in _BY_OBJECT or (kind, name) in _plain:
        return getattr(x, name)
    if isinstance(x, _NUMBERS) or is_leaf(x):
        return _of_object(x, kind, name) if _is_computed(kind, name) else _of_leaf(x, name)
    if isinstance(x, type):
        f = getattr(kind, name, None) if kind is not type else None
        own = isinstance(f, property) and isinstance(f.fget, FunctionType)
        return call(f.fget, x) if own else getattr(x, name)  # type: ignore[union-attr]  # a property
    if any(id(x) in run.live for run in here.runs):
        return _of_whole(x, kind, name)
    return _of_super(x, name) if kind is super else _of_object(x, kind, name)


def _is_computed(kind: type, name: str) -> bool:
    """Whether a class of numbers or arrays has an attribute that a function of the user's computes."""
    if kind.__module__ in _BUILT_IN:
        return False
    how, f = _ways.get((kind, name)) or _ways.setdefault((kind, name), _way(kind, name))
    return isinstance(f, FunctionType) and how != "rule" and is_followed(f)


def _of_leaf(x: Any, name: str) -> Any:
    if (
        not any(run.varies(x) for run in here.runs)
        or name == "flat"
        or callable(getattr(type(x), name, None))
    ):
        return getattr(x, name)
    since = generation()
    found = find("reverse", attribute(name), (x,), {})
    if found is not None and getattr(found.method and found.method.rule, "without_tangent", False):
        keep(_plain, (type(x), name), True, since)
        return getattr(x, name)
    rules = rules_of(attribute(name))
    plain = isinstance(x, _NUMBERS) if rules is None else rules.non_differentiable is not None
    return getattr(x, name) if plain else perform(attribute(name), (x,), {})


def _of_whole(x: Any, kind: type, name: str) -> Any:
    """`x.name` of an object that is one leaf: by rules, of its class or of what it stores."""
    if any(id(x) in run.why for run in here.runs) or has_rule(
        attribute(name), (x,), {}, "reverse", "forward"
    ):
        return perform(attribute(name), (x,), {})
    member = static(kind, name)
    if isinstance(member, functools.cached_property):
        return call(member.func, x)
    if name in named_parts(x):
        return _part(x, name)
    if isinstance(member, property) and isinstance(member.fget, FunctionType):
        return call(member.fget, x)
    if member is not None and callable(getattr(kind, name, None)):
        return getattr(x, name)
    return perform(attribute(name), (x,), {})


def _part(x: Any, name: str) -> Any:
    """What an object that is one leaf stores; no derivative passes through what holds no number."""
    y = perform(field_of, (x, name), {})
    if type(y) not in PLAIN and is_handle(y):
        for run in here.runs:
            if id(x) in run.live and id(y) not in run.live:
                run.refuse_through([y], no_rule(attribute(name), (x,), {}, run))
    return y


def _of_super(x: Any, name: str) -> Any:
    """`super().name`"""
    mro = x.__self_class__.__mro__
    after = mro[mro.index(x.__thisclass__) + 1 :]
    member = next((c.__dict__[name] for c in after if name in c.__dict__), None)
    if isinstance(member, property) and isinstance(member.fget, FunctionType):
        return call(member.fget, x.__self__)
    return getattr(x, name)


def _is_hidden(x: Any, name: str, member: Any) -> bool:
    """Whether an object keeps something under the name of a descriptor that cannot be set."""
    P = type(member)
    return name in own_dict(x) and not (hasattr(P, "__set__") or hasattr(P, "__delete__"))


def got_by_object(x: Any, name: str) -> Any:
    """`object.__getattribute__(x, name)`"""
    member = static(type(x), name)
    if isinstance(member, property) and isinstance(member.fget, FunctionType):
        return call(member.fget, x)
    if isinstance(member, functools.cached_property):
        return computed_once(member.func, x, name)
    get = getattr(type(member), "__get__", None)
    if isinstance(get, FunctionType) and not _is_hidden(x, name, member):
        return call(get, member, x, type(x))
    return object.__getattribute__(x, name)


def computed_once(f: Any, x: Any, name: str) -> Any:
    """What a cached property gives; computed again where that was done unseen, of what varies."""
    held, key = x.__dict__, (id(x), name)
    if name in held and all(key in run.computed for run in here.runs):
        return held[name]
    before = [run.anew.pop(key) for run in here.runs if key in run.anew]
    if name in held and any(run.marks((x,)) and not run.marks((held[name],)) for run in here.runs):
        before.append(held.pop(name))
    if name not in held:
        held[name] = call(f, x)
    for run in here.runs:
        run.computed[key] = x
    if not all(_same(old, held[name]) for old in before):
        raise AliasedMutationError(
            f"what `{name}` of {describe(x)} is computed of was changed after it was computed",
            next=f"delete `{name}`, or make the object anew, before it is differentiated",
        )
    return held[name]


def _same(a: Any, b: Any) -> bool:
    """Whether what was computed twice is the same."""
    pairs = zip(leaves_in(a), leaves_in(b), strict=False)
    return all(np.array_equal(v, w, equal_nan=np.asarray(v).dtype.kind in "fc") for v, w in pairs)


def _of_object(x: Any, kind: type, name: str) -> Any:
    way = _ways.get((kind, name))
    if way is None:
        way = _ways[kind, name] = _way(kind, name)
    how, f = way
    if how == "plain":
        if is_own(x):
            _plain[kind, name] = True
        return getattr(x, name)
    if how == "property":
        if isinstance(x, tuple) and name in own_dict(x):
            return _beside(x, name)
        shown = name in own_dict(x) or is_shown(x, name)
        return getattr(x, name) if shown else call(f, x)
    if how == "cached":
        return computed_once(f, x, name)
    if how == "descriptor":
        member = static(kind, name)
        return getattr(x, name) if _is_hidden(x, name, member) else call(f, member, x, kind)
    if how == "rule":
        read = functools.partial(call, f) if f is not None else attribute(name)
        return perform(attribute(name), (x,), {}, read)
    if how == "otherwise":
        try:
            return got_by_object(x, name)
        except AttributeError:
            pass
    return call(f, x, name)


def _beside(x: Any, name: str) -> Any:
    """What a tuple holds beside its items; it is missing where a rule made the tuple."""
    y = getattr(x, name)
    for run in here.runs:
        if id(x) in run.beside and is_result(y):
            y = y if isinstance(y, np.ndarray) else another(y)
            run.refuse_through([y], no_rule(attribute(name), (x,), {}, run))
    return y


def is_own(x: Any) -> bool:
    """Whether x is an object of a class that is followed, of which nothing varies but what is in it."""
    return zero_of(x) is None and not is_foreign(x)


def static(kind: type, name: str) -> Any:
    """What a class has by a name, as it stands there."""
    return next((c.__dict__[name] for c in kind.__mro__ if name in c.__dict__), None)


def _way(kind: type, name: str) -> tuple[str, Any]:
    """How objects of a class are asked for an attribute, and the function that is."""
    load_for((kind,))
    asked, member = kind.__getattribute__, static(kind, name)
    if isinstance(asked, FunctionType):
        return "asked", asked
    if isinstance(member, property) and isinstance(member.fget, FunctionType):
        by_rule = rules_of(attribute(name)) is not None and rules_of(member.fget) is None
        return ("rule" if by_rule and _has_own_rule(kind, name) else "property"), member.fget
    if isinstance(member, functools.cached_property):
        return "cached", member.func
    get = getattr(type(member), "__get__", None)
    if isinstance(get, FunctionType):
        return "descriptor", get
    if _has_any_rule(kind, name):
        return "rule", None
    otherwise = getattr(kind, "__getattr__", None)
    return ("otherwise", otherwise) if isinstance(otherwise, FunctionType) else _PLAIN


def _has_any_rule(kind: type, name: str) -> bool:
    """Whether a rule of an attribute holds for objects of this class, or one that it has no derivative."""
    rules = rules_of(attribute(name))
    if rules is None:
        return False
    fit = any(rules.matching(mode, (kind,)) for mode in rules.methods)
    return fit or rules.non_differentiable is not None


def _has_own_rule(kind: type, name: str) -> bool:
    """Whether a rule of an attribute names this class, or one that it is of."""
    rules = rules_of(attribute(name))
    methods = [] if rules is None else [m for every in rules.methods.values() for m in every]
    return any(
        isinstance(t, type) and issubclass(kind, t) and t is not object and not redefined(kind, t, name)
        for m in methods
        for t in m.signature.types[:1]
    )


@site
def class_keyword(v: Any) -> Any:
    """What `class C(B, name=v)` gives to methods that run as the class is made"""
    if any(run.marks((v,)) for run in here.runs):
        raise given_to_a_class(v)
    return v


@site
def setattr_(v: Any, x: Any, name: str) -> None:
    """`x.name = v`"""
    if not here.runs or (type(x), name) in _put:
        setattr(x, name, v)
        return
    if isinstance(x, np.ndarray):
        if name == "flat":
            setitem(v, x.flat, slice(None))
        elif name in ("real", "imag") and any(run.marks((x, v)) for run in here.runs):
            stored(attr(x, name), Ellipsis, v)
        else:
            setattr(x, name, v)
        return
    for run in here.runs:
        if id(x) in run.live or (is_leaf(x) and run.marks((v,)) is not None):
            raise assigned(x, name)
    f = type(x).__setattr__
    if isinstance(f, FunctionType):
        call(f, x, name, v)
    else:
        put_by_object(x, name, v)


def put_by_object(x: Any, name: str, v: Any) -> None:
    """`object.__setattr__(x, name, v)`"""
    member = static(type(x), name)
    if isinstance(member, property) and isinstance(member.fset, FunctionType):
        call(member.fset, x, v)
    elif isinstance(put := getattr(type(member), "__set__", None), FunctionType):
        call(put, member, x, v)
    elif isinstance(type(x).__setattr__, FunctionType):
        object.__setattr__(x, name, v)
    else:
        if is_own(x):
            _put[type(x), name] = True
        setattr(x, name, v)


@site
def delattr_(x: Any, name: str) -> None:
    """`del x.name`"""
    f = type(x).__delattr__
    if here.runs and isinstance(f, FunctionType):
        call(f, x, name)
    else:
        del_by_object(x, name)


def del_by_object(x: Any, name: str) -> None:
    """`object.__delattr__(x, name)`"""
    member = static(type(x), name)
    delete = getattr(type(member), "__delete__", None)
    if here.runs and isinstance(member, property) and isinstance(member.fdel, FunctionType):
        call(member.fdel, x)
    elif here.runs and isinstance(delete, FunctionType):
        call(delete, member, x)
    elif isinstance(type(x).__delattr__, FunctionType):
        object.__delattr__(x, name)
    else:
        delattr(x, name)
