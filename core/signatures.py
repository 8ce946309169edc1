"""Signatures: what of a call is data and what is metadata.

The positional parameters of a rule are data, each with a tangent; its keyword-only parameters are
metadata (an axis, a mode), named as the primal names them. A call is bound to the primal's own
signature first, so `np.sum(x, 1)` and `np.sum(x, axis=1)` reach the same rule in the same way.
Where the primal has no signature, positional is data and keywords pass through by name.

`needs` and `engine` are no metadata: a rule that names a keyword-only parameter so is told which
cotangents are wanted, and who is calling.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args

import numpy as np

from .errors import RegistrationError

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_FROM_CALLER = ("needs", "engine")
_UNKNOWN = object()
SignatureOf = Callable[[Any], inspect.Signature]
"""Computes a callable's signature from the first argument of a call: the same for all of one class."""
_NO_VALUE: object = getattr(np, "_NoValue", inspect.Parameter.empty)


class RuleSignature(NamedTuple):
    """The data and metadata parameters of one rule."""

    names: tuple[str, ...]
    types: tuple[Any, ...]
    required: int
    variadic: Any  # the annotation of *args; None where there is no *args
    metadata: frozenset[str]
    any_metadata: bool  # the rule has **kwargs
    wants_needs: bool
    wants_engine: bool

    @property
    def from_caller(self) -> frozenset[str]:
        """The keywords that the caller of the rule fills, and no call of the primal."""
        asked = zip(_FROM_CALLER, (self.wants_needs, self.wants_engine), strict=True)
        return frozenset(name for name, wanted in asked if wanted)


def rule_signature(rule: Callable[..., Any], *, skip: int = 0) -> RuleSignature:
    """Read a rule's parameters; the first `skip` (an frule's tangents) are not data."""
    if not inspect.isfunction(rule):
        raise RegistrationError(f"{rule!r} is no Python function", next="write the rule with def")
    try:
        annotations = _annotations_of(rule)
    except NameError as error:
        raise RegistrationError(
            f"{rule.__name__} has an annotation that cannot be read: {error}",
            next="import what it names at run time, since rules are dispatched on it",
        ) from error
    shape = _shape_of(rule)
    names = shape.positional[skip:]
    for name in (*names, *shape.star):
        _hold_plain(rule.__name__, name, annotations.get(name, object))
    return RuleSignature(
        names=names,
        types=tuple(annotations.get(name, object) for name in names),
        required=max(shape.required - skip, 0),
        variadic=annotations.get(shape.star[0], object) if shape.star else None,
        metadata=frozenset(shape.keyword_only.difference(_FROM_CALLER)),
        any_metadata=shape.any_keywords,
        wants_needs="needs" in shape.keyword_only,
        wants_engine="engine" in shape.keyword_only,
    )


def _annotations_of(rule: Any) -> dict[str, Any]:
    """The annotations of a rule; a name alone is looked up, which is quicker than evaluating it."""
    found, wraps = dict(rule.__annotations__), "__wrapped__" in rule.__dict__
    for name, t in found.items():
        if type(t) is str:
            known = _UNKNOWN if wraps else rule.__globals__.get(t, vars(builtins).get(t, _UNKNOWN))
            if known is _UNKNOWN:
                found = inspect.get_annotations(rule, eval_str=True)
                break
            found[name] = known
    return {name: NoneType if t is None else t for name, t in found.items()}


class _Shape(NamedTuple):
    """The parameters of a function by kind."""

    positional: tuple[str, ...]
    required: int  # how many of them have no default
    star: tuple[str, ...]
    keyword_only: frozenset[str]
    any_keywords: bool


def _shape_of(rule: Any) -> _Shape:
    """Read from the code, which is quicker than `inspect`; that reads what stands for another function."""
    if rule.__dict__.keys() & {"__wrapped__", "__signature__"}:
        parameters = inspect.signature(rule).parameters.values()
        positional = [p for p in parameters if p.kind in _POSITIONAL]
        return _Shape(
            tuple(p.name for p in positional),
            sum(p.default is inspect.Parameter.empty for p in positional),
            tuple(p.name for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL),
            frozenset(p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY),
            any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters),
        )
    code = rule.__code__
    count = code.co_argcount
    named = count + code.co_kwonlyargcount
    star = bool(code.co_flags & inspect.CO_VARARGS)
    return _Shape(
        code.co_varnames[:count],
        count - len(rule.__defaults__ or ()),
        code.co_varnames[named : named + star],
        frozenset(code.co_varnames[count:named]),
        bool(code.co_flags & inspect.CO_VARKEYWORDS),
    )


def _hold_plain(rule: str, parameter: str, annotation: Any) -> None:
    """Refuse an annotation that the type of an argument alone cannot decide."""
    members = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    if annotation is not Any and not all(isinstance(t, type) for t in members):
        raise RegistrationError(
            f"{rule} takes {parameter}: {annotation}, on which no argument's type can be told to fit",
            closest="a plain class, or a union of them: `list`, `np.ndarray | float`",
            next="dispatch on the class, and look at what it holds in the rule",
        )


def primal_signature(f: Callable[..., Any], declared: str | None = None) -> inspect.Signature | None:
    """The signature of f, read from a declaration such as `"x, y, /, *, axis=None"` if there is one."""
    if declared is not None:
        namespace: dict[str, Any] = {}
        try:
            exec(f"def declared({declared}): ...", {"np": np}, namespace)
        except SyntaxError as error:
            raise RegistrationError(
                f"signature={declared!r} is no Python signature: {error.msg}",
                next='write what stands between the parentheses of a def: "x, y, /, *, axis=None"',
            ) from error
        return inspect.signature(namespace["declared"])
    try:
        return inspect.signature(f)
    except (ValueError, TypeError):
        return None


@dataclass(frozen=True)
class Split:
    """Which parameters of a callable are data, fixed by the first rule registered for it."""

    signature: inspect.Signature | None
    data: tuple[str, ...]
    variadic: bool
    metadata: frozenset[str]
    any_metadata: bool

    def under(self, signature: inspect.Signature) -> Split:
        """The same division of a call that has this signature: what is no metadata is data."""
        positional = [p.name for p in signature.parameters.values() if p.kind in _POSITIONAL]
        return replace(
            self, signature=signature, data=tuple(name for name in positional if name not in self.metadata)
        )

    def merge(self, rule: RuleSignature, name: str) -> Split:
        """The split with another rule's metadata; refused where the two divide the call differently."""
        if clash := rule.metadata.intersection(self.data):
            raise RegistrationError(
                f"{name} takes {', '.join(sorted(clash))} as metadata, an earlier rule takes it as data",
                next="make it a positional parameter of this rule",
            )
        other = split_call(self.signature, rule, name)
        if clash := self.metadata.intersection(other.data):
            raise RegistrationError(
                f"{name} takes {', '.join(sorted(clash))} as data, an earlier rule takes it as metadata",
                next="make it a keyword-only parameter of this rule",
            )
        return Split(
            self.signature,
            max(self.data, other.data, key=len),
            self.variadic or other.variadic,
            self.metadata | other.metadata,
            self.any_metadata or other.any_metadata,
        )


def split_call(signature: inspect.Signature | None, rule: RuleSignature, name: str) -> Split:
    """Match a rule's data parameters, in order, with the primal's that it does not take as metadata."""
    variadic = rule.variadic is not None
    if signature is None:
        return Split(None, rule.names, variadic, rule.metadata, rule.any_metadata)
    parameters = signature.parameters.values()
    has_keywords = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    unknown = rule.metadata.difference(signature.parameters)
    if unknown and not has_keywords:
        raise RegistrationError(
            f"{name} has keyword-only {', '.join(sorted(unknown))}, which the primal does not have",
            closest=f"the primal's parameters: {', '.join(signature.parameters)}",
            next="name the primal's own parameters, or give signature=",
        )
    candidates = [p.name for p in parameters if p.kind in _POSITIONAL and p.name not in rule.metadata]
    candidates += [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name in rule.names]
    star = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters)
    if len(rule.names) > len(candidates) and not star:
        raise RegistrationError(
            f"{name} has {len(rule.names)} data parameters, the primal has {len(candidates)}",
            closest=f"the primal's signature: {signature}",
            next="make metadata keyword-only, or give signature=",
        )
    data = tuple(candidates) if variadic else tuple(candidates[: len(rule.names)])
    return Split(signature, data, variadic or (star and bool(rule.names)), rule.metadata, rule.any_metadata)


class Supplied(NamedTuple):
    """A parameter that a call supplies: its name, where its value stands, and its default."""

    name: str
    slot: int
    default: Any


@dataclass(frozen=True)
class Binding:
    """How the values of one form of call, positional ones first, divide into data and metadata.

    A data entry is the slot of its value, or `(default,)` for one left out before others.
    """

    data: tuple[int | tuple[Any], ...]
    metadata: tuple[Supplied, ...]
    unknown: tuple[Supplied, ...]
    slots: int
    positional: int

    @property
    def trivial(self) -> bool:
        """Every value of the call is data, in order, and none is given by name."""
        return self.data == tuple(range(self.positional)) and self.slots == self.positional

    def data_of(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(values[s] if isinstance(s, int) else s[0] for s in self.data)

    def metadata_of(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """The metadata supplied, sentinels left out."""
        return {name: values[slot] for name, slot, _ in self.metadata if not is_sentinel(values[slot])}

    def unsupported(self, values: tuple[Any, ...]) -> list[tuple[str, Any]]:
        """(name, value) of what no rule of the callable takes and is not the primal's default."""
        return [(u.name, values[u.slot]) for u in self.unknown if not same_value(values[u.slot], u.default)]


def is_sentinel(value: Any) -> bool:
    """Whether a value says that its parameter was left out."""
    return value is _NO_VALUE or value is inspect.Parameter.empty


def same_value(value: Any, default: Any) -> bool:
    """Whether a value supplied is the default itself."""
    if value is default or is_sentinel(value):
        return True
    if type(value) is tuple and type(default) is tuple and len(value) == len(default):
        return all(map(same_value, value, default))
    return type(value) is type(default) and isinstance(value, str | bool | int | float) and value == default


def bind(split: Split, positional: int, keywords: tuple[str, ...]) -> Binding:
    """Bind a call of so many positional values and these keywords."""
    names = _positional_names(split, positional)
    values = {name: slot for slot, name in enumerate(names) if name is not None}
    if twice := sorted(values.keys() & set(keywords)):
        raise TypeError(f"got multiple values for argument {twice[0]!r}")
    values |= {name: positional + i for i, name in enumerate(keywords)}
    parameters = {} if split.signature is None else split.signature.parameters
    data: list[int | tuple[Any]] = []
    for index, name in enumerate(split.data):
        if name in values:
            data.append(values.pop(name))
        elif any(later in values for later in split.data[index:]):
            default = parameters[name].default if name in parameters else None
            data.append((None if is_sentinel(default) else default,))
    data += [slot for slot, name in enumerate(names) if name is None]
    metadata: list[Supplied] = []
    unknown: list[Supplied] = []
    for name, slot in values.items():
        default = parameters[name].default if name in parameters else inspect.Parameter.empty
        known = name in split.metadata or (split.any_metadata and name not in split.data)
        supplied = Supplied(name, slot, default)
        passes = known or (split.signature is None and slot >= positional)
        (metadata if passes else unknown).append(supplied)
    return Binding(tuple(data), tuple(metadata), tuple(unknown), positional + len(keywords), positional)


def _positional_names(split: Split, positional: int) -> list[str | None]:
    """The parameter that each positional value binds to; None for one that is variadic data."""
    if split.signature is None:
        known: list[str] = list(split.data)
    else:
        known = [p.name for p in split.signature.parameters.values() if p.kind in _POSITIONAL]
    extra = max(0, positional - len(known))
    return [*known[:positional], *[None] * extra]
