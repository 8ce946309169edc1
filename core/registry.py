"""The registry: for each callable its rules, and what else was declared of it.

Identity chooses the callable, plum chooses the method. Two tables stand side by side, one for
each mode; an opt-out is a method without a rule. Keys are held by identity with a strong
reference, so that a key can never be taken over by another object.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import plum
from plum._resolver import Resolver  # the public `Function` resolves and calls in one step

from . import caches, debug
from .callables import name_of, remembered, unbind
from .errors import AmbiguousRuleError, RegistrationError
from .loading import loaded_now
from .signatures import RuleSignature, SignatureOf, Split, primal_signature, rule_signature, split_call
from .table import table

Mode = Literal["forward", "reverse"]


SHOWN = 6
"""So many types of a union are shown in a message; of more, the first three and their number."""


@dataclass(frozen=True, eq=False)
class Method:
    """One rule for one choice of argument types, or an opt-out (`rule` is None)."""

    rule: Callable[..., Any] | None
    mode: Mode
    signature: RuleSignature
    mutates: tuple[int, ...] = ()
    lazy_seed: bool = False
    light_seed: bool = False  # the pullback keeps indexed tangents indexed
    shared: bool = False  # a rule of other types, registered again for these
    complete: bool = False  # the rule keeps the whole contract itself: seeds, projection, arity
    still: tuple[str, ...] = ()  # metadata that has no part in the derivative, even where it varies

    @property
    def name(self) -> str:
        return "an opt-out" if self.rule is None else getattr(self.rule, "__name__", repr(self.rule))

    @property
    def location(self) -> str:
        """`file:line` of the rule."""
        if written := getattr(self.rule, "written_at", ""):
            return str(written)
        code = getattr(self.rule, "__code__", None)
        return "" if code is None else f"{code.co_filename}:{code.co_firstlineno}"

    @property
    def origin(self) -> tuple[str, str] | None:
        """Where the rule is written, in module and qualified name; a re-run cell keeps it."""
        return None if self.rule is None else (self.rule.__module__, self.rule.__qualname__)

    def __str__(self) -> str:
        types = ", ".join(_type_name(t) for t in self.signature.types)
        star = "" if self.signature.variadic is None else f", *{_type_name(self.signature.variadic)}"
        place = f"   {self.location}" if self.location else ""
        return f"{self.name}({types}{star}){place}"


@dataclass(eq=False)
class Rules:
    """All that is declared of one callable."""

    f: Callable[..., Any]
    split: Split | None = None
    methods: dict[Mode, list[Method]] = field(default_factory=lambda: {"forward": [], "reverse": []})
    non_differentiable: str | None = None
    only: dict[Mode, str] = field(default_factory=dict)  # the one mode, with the reason
    by_first: SignatureOf | None = None  # computes the signature from the first argument of a call

    def __post_init__(self) -> None:
        self._resolvers: dict[Mode, tuple[list[Method], Resolver]] = {}

    def split_for(self, args: tuple[Any, ...]) -> Split | None:
        """How a call with these arguments divides: by the callable's signature, or its first argument's."""
        if self.by_first is None or self.split is None or not args:
            return self.split
        return self.split.under(self.by_first(args[0]))

    @property
    def every(self) -> list[Method]:
        """The methods of both modes."""
        return [*self.methods["forward"], *self.methods["reverse"]]

    def refuse(self, method: Method) -> None:
        """Raise where a method cannot be added: the same types again, unless the same rule is run again."""
        if self.non_differentiable is not None:
            raise RegistrationError(
                f"{name_of(self.f)} is declared not differentiable: {self.non_differentiable}",
                where=f"registering {method}",
                next="remove one of the two",
            )
        for old in self.methods[method.mode]:
            if _same_types(old, method) and old.origin != method.origin:
                raise RegistrationError(
                    f"{name_of(self.f)} has a {method.mode} rule for these types already: {old}",
                    where=f"registering {method}",
                    next="give the new rule other types, or remove one of the two",
                )

    def add(self, method: Method) -> None:
        """Add a method that is not refused, in place of one that it runs again."""
        kept = [m for m in self.methods[method.mode] if not _same_types(m, method)]
        self.methods[method.mode] = [*kept, method]

    def resolve(self, mode: Mode, types: tuple[Any, ...]) -> Method | None:
        """The most specific method for these data types; None where there is none, or an opt-out."""
        methods = self.methods[mode]
        fitting = [m for m in methods if _may_fit(m.signature, types)]
        if not fitting:
            return None
        if len(fitting) == 1 and _fits(fitting[0].signature, types):
            return fitting[0] if fitting[0].rule is not None else None
        built = self._resolvers.get(mode)
        if built is None or built[0] is not methods:  # made of the methods seen here, whoever adds one now
            built = self._resolvers[mode] = methods, self._build(methods)
        resolver = built[1]
        try:
            carried: Any = resolver.resolve(plum.Signature(*types)).implementation
        except plum.AmbiguousLookupError as error:
            named = ", ".join(_type_name(t) for t in types)
            raise AmbiguousRuleError(
                f"two {mode} rules of {name_of(self.f)} fit ({named}) equally well",
                closest="\n           ".join(str(m) for m in self.matching(mode, types)),
                next="register a rule for exactly these types",
            ) from error
        except plum.NotFoundLookupError:
            return None
        found: Method = carried
        return None if found.rule is None else found

    def _build(self, methods: list[Method]) -> Resolver:
        resolver = Resolver(name_of(self.f))
        for method in methods:
            for signature in _plum_signatures(method.signature):
                carried: Any = method
                resolver.register(plum.Method(carried, signature, function_name=method.name, return_type=Any))
        return resolver

    def matching(self, mode: Mode, types: tuple[Any, ...]) -> list[Method]:
        """Every method and opt-out that these data types fit."""
        target = plum.Signature(*types)
        return [m for m in self.methods[mode] if any(target <= s for s in _plum_signatures(m.signature))]


def rules_of(f: Callable[..., Any]) -> Rules | None:
    """What is declared of exactly this object, also by the rules of its library that are loaded only now."""
    found: Rules | None = table.get(id(f))
    if found is None and loaded_now(f):
        found = table.get(id(f))
    return found


def entry_of(f: Callable[..., Any]) -> Rules:
    """The entry of f; a new one, in the table only once it is kept, where there is none.

    A memoised function stands for what it remembers. A bound method is made anew at each access,
    so that a rule of it would never be found.
    """
    if not callable(f):
        raise RegistrationError(f"{f!r} is not callable", next="register the rule on a function or class")
    bound = unbind(f)
    if bound is not None:
        raise RegistrationError(
            f"{name_of(f)} is a method bound to one object",
            closest=f"the function {name_of(bound[0])}, whose first argument is the object",
            next="register the rule there, with the object as its first parameter",
        )
    f = remembered(f)
    return table.get(id(f)) or Rules(f)


def keep(entry: Rules) -> None:
    """Put an entry that changed into the table, and forget what was resolved before."""
    table[id(entry.f)] = entry
    caches.invalidate()


def registered() -> list[Rules]:
    """Every entry, in the order of registration."""
    return list(table.values())


def register(
    f: Callable[..., Any],
    rule: Callable[..., Any],
    mode: Mode,
    *,
    types: tuple[Any, ...] | None = None,
    by_name: tuple[str, ...] = (),
    declared: str | SignatureOf | None = None,
    **flags: Any,
) -> None:
    """Register one rule; nothing changes where it is refused."""
    signature = rule_signature(rule, skip=1 if mode == "forward" else 0)
    if types is not None:
        names = tuple(f"_{i}" for i in range(len(types) - len(by_name)))
        signature = signature._replace(
            types=types, names=(*names, *by_name), required=len(types), variadic=None
        )
    method = Method(rule, mode, signature, **flags)
    name = f"{rule.__name__} for {name_of(f)}"
    if absent := [i for i in method.mutates if i not in range(len(signature.types))]:
        raise RegistrationError(
            f"{name} mutates argument {absent[0]}, which is no data parameter of it",
            next=f"mutates= takes positions below {len(signature.types)}",
        )
    named = () if isinstance(method.still, str) else method.still
    if named != method.still or not (signature.any_metadata or signature.metadata.issuperset(named)):
        raise RegistrationError(
            f"{name} has still={method.still!r}, which are not names of its keyword-only parameters",
            closest=", ".join(sorted(signature.metadata)) or "it has none",
            next='give a tuple of them, as still=("start",)',
        )
    with caches.lock:
        entry = entry_of(f)
        text, by_first = (declared, None) if isinstance(declared, str) else (None, declared)
        if entry.split is None:
            takes = None if by_first is not None else primal_signature(entry.f, text)
            split = split_call(takes, signature, name)
        else:
            split = entry.split.merge(signature, name)
        entry.refuse(method)
        entry.add(method)
        entry.split, entry.by_first = split, by_first or entry.by_first
        keep(entry)
    debug.registered(f, method)


def share(method: Method, f: Callable[..., Any], types: tuple[Any, ...]) -> None:
    """Register a method for other data types, of f, without the metadata that f does not take."""
    takes = primal_signature(f)
    signature = method.signature._replace(types=types)
    if takes is not None and not any(p.kind is p.VAR_KEYWORD for p in takes.parameters.values()):
        signature = signature._replace(metadata=signature.metadata & takes.parameters.keys())
    shared = replace(method, signature=signature, shared=True)
    with caches.lock:
        entry = entry_of(f)
        if entry.split is None:
            entry.split = split_call(takes, signature, shared.name)
        entry.refuse(shared)
        entry.add(shared)
        keep(entry)


def opt_out(f: Callable[..., Any], types: tuple[Any, ...]) -> None:
    """Register a method without a rule for these types, in both modes."""
    signature = RuleSignature(
        tuple(f"_{i}" for i in range(len(types))), types, len(types), None, frozenset(), True, False, False
    )
    modes: tuple[Mode, Mode] = ("forward", "reverse")
    methods = [Method(None, mode, signature) for mode in modes]
    with caches.lock:
        entry = entry_of(f)
        for method in methods:
            entry.refuse(method)
        for method in methods:
            entry.add(method)
        keep(entry)


def _may_fit(signature: RuleSignature, types: tuple[Any, ...]) -> bool:
    """Whether a call with these types fits a signature, or may: of what is no class, plum knows."""
    declared = signature.types
    if len(types) < signature.required or (len(types) > len(declared) and signature.variadic is None):
        return False
    if len(types) > len(declared):
        declared = (*declared, *[signature.variadic] * (len(types) - len(declared)))
    return all(issubclass(t, _classes(d) or object) for t, d in zip(types, declared, strict=False))


def _fits(signature: RuleSignature, types: tuple[Any, ...]) -> bool:
    """Whether a call that may fit a signature does, since all of it are classes."""
    named = signature.types if signature.variadic is None else (*signature.types, signature.variadic)
    return all(map(_classes, named)) and all(isinstance(t, type) for t in types)


@functools.lru_cache(maxsize=1024)
def _classes(t: Any) -> tuple[type, ...]:
    """The classes that a type stands for; none where it stands for more."""
    parts = get_args(t) if get_origin(t) in (Union, UnionType) else (t,)
    return tuple(parts) if all(type(c) is type for c in parts) else ()


def _plum_signatures(signature: RuleSignature) -> list[plum.Signature]:
    """One plum signature for each number of data arguments that the rule takes."""
    return _counted_signatures(signature.types, signature.required, signature.variadic)


@functools.lru_cache(maxsize=1024)  # many rules take the same types
def _counted_signatures(types: tuple[Any, ...], required: int, variadic: Any) -> list[plum.Signature]:
    heads = [plum.Signature(*types[:n]) for n in range(required, len(types) + 1)]
    if variadic is None:
        return heads
    return [*heads[:-1], plum.Signature(*types, varargs=variadic)]


def _same_types(a: Method, b: Method) -> bool:
    theirs = _plum_signatures(b.signature)
    return any(mine in theirs for mine in _plum_signatures(a.signature))


def _type_name(t: Any) -> str:
    from .types import Array

    if t == Array:
        return "Array"
    if isinstance(t, type):
        return t.__name__
    parts = get_args(t)
    if len(parts) > SHOWN:
        return " | ".join(
            [*(getattr(part, "__name__", str(part)) for part in parts[:3]), f"… {len(parts)} types"]
        )
    return str(t).replace("numpy.", "np.")
