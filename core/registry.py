"""The registry: for each callable its rules, and what else was declared of it.

Identity chooses the callable, plum chooses the method. Two tables stand side by side, one for
each mode; an opt-out is a method without a rule. Keys are held by identity with a strong
reference, so that a key can never be taken over by another object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import plum
from plum._resolver import Resolver  # the public `Function` resolves and calls in one step

from . import caches
from .callables import name_of
from .errors import AmbiguousRuleError, RegistrationError
from .signatures import RuleSignature, Split, primal_signature, rule_signature, split_call

Mode = Literal["forward", "reverse"]


@dataclass(frozen=True, eq=False)
class Method:
    """One rule for one choice of argument types, or an opt-out (`rule` is None)."""

    rule: Callable[..., Any] | None
    mode: Mode
    signature: RuleSignature
    mutates: tuple[int, ...] = ()
    lazy_seed: bool = False
    complete: bool = False  # the rule keeps the whole contract itself: seeds, projection, arity

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

    def __post_init__(self) -> None:
        self._resolvers: dict[Mode, Resolver | None] = {"forward": None, "reverse": None}

    def register(self, method: Method) -> None:
        """Add a method; the same types again is an error unless it is the same rule run again."""
        methods = [m for m in self.methods[method.mode] if not _same_types(m, method)]
        replaced = [m for m in self.methods[method.mode] if _same_types(m, method)]
        if replaced and replaced[0].origin != method.origin:
            raise RegistrationError(
                f"{name_of(self.f)} has a {method.mode} rule for these types already: {replaced[0]}",
                where=f"registering {method}",
                next="give the new rule other types, or remove one of the two",
            )
        self.methods[method.mode] = [*methods, method]
        self._resolvers[method.mode] = None

    def resolve(self, mode: Mode, types: tuple[Any, ...]) -> Method | None:
        """The most specific method for these data types; None where there is none, or an opt-out."""
        resolver = self._resolvers[mode] or self._build(mode)
        try:
            found: Method = resolver.resolve(plum.Signature(*types)).implementation
        except plum.AmbiguousLookupError as error:
            named = ", ".join(_type_name(t) for t in types)
            raise AmbiguousRuleError(
                f"two {mode} rules of {name_of(self.f)} fit ({named}) equally well",
                closest="\n           ".join(str(m) for m in self._matching(mode, types)),
                next="register a rule for exactly these types",
            ) from error
        except plum.NotFoundLookupError:
            return None
        return None if found.rule is None else found

    def _build(self, mode: Mode) -> Resolver:
        resolver = Resolver(name_of(self.f))
        for method in self.methods[mode]:
            for signature in _plum_signatures(method.signature):
                carried: Any = method
                resolver.register(plum.Method(carried, signature, function_name=method.name, return_type=Any))
        self._resolvers[mode] = resolver
        return resolver

    def _matching(self, mode: Mode, types: tuple[Any, ...]) -> list[Method]:
        target = plum.Signature(*types)
        return [m for m in self.methods[mode] if any(target <= s for s in _plum_signatures(m.signature))]


_table: dict[int, Rules] = {}


def rules_of(f: Callable[..., Any]) -> Rules | None:
    """What is declared of exactly this object."""
    return _table.get(id(f))


def declare(f: Callable[..., Any]) -> Rules:
    """The entry of f, made where there is none."""
    if not callable(f):
        raise RegistrationError(f"{f!r} is not callable", next="register the rule on a function or class")
    return _table.setdefault(id(f), Rules(f))


def registered() -> list[Rules]:
    """Every entry, in the order of registration."""
    return list(_table.values())


def register(
    f: Callable[..., Any],
    rule: Callable[..., Any],
    mode: Mode,
    *,
    types: tuple[Any, ...] | None = None,
    declared: str | None = None,
    **flags: Any,
) -> None:
    """Register one rule; nothing changes where it is refused."""
    signature = rule_signature(rule, skip=1 if mode == "forward" else 0)
    if types is not None:
        names = tuple(f"x{i}" for i in range(len(types)))
        signature = signature._replace(types=types, names=names, required=len(types), variadic=None)
    name = f"{rule.__name__} for {name_of(f)}"
    with caches.lock:
        entry = _table.get(id(f), Rules(f))
        if entry.split is None:
            split = split_call(primal_signature(f, declared), signature, name)
        else:
            split = entry.split.merge(signature, name)
        entry.register(Method(rule, mode, signature, **flags))
        entry.split = split
        _table[id(f)] = entry
        caches.invalidate()


def opt_out(f: Callable[..., Any], types: tuple[Any, ...]) -> None:
    """Register a method without a rule for these types, in both modes."""
    signature = RuleSignature(
        tuple(f"_{i}" for i in range(len(types))), types, len(types), None, frozenset(), True, False, False
    )
    modes: tuple[Mode, Mode] = ("forward", "reverse")
    with caches.lock:
        entry = declare(f)
        for mode in modes:
            entry.register(Method(None, mode, signature))
        caches.invalidate()


def _plum_signatures(signature: RuleSignature) -> list[plum.Signature]:
    """One plum signature for each number of data arguments that the rule takes."""
    counts = range(signature.required, len(signature.types) + 1)
    heads = [plum.Signature(*signature.types[:n]) for n in counts]
    if signature.variadic is None:
        return heads
    return [*heads[:-1], plum.Signature(*signature.types, varargs=signature.variadic)]


def _same_types(a: Method, b: Method) -> bool:
    theirs = _plum_signatures(b.signature)
    return any(mine in theirs for mine in _plum_signatures(a.signature))


def _type_name(t: Any) -> str:
    from .types import Array

    if t == Array:
        return "Array"
    return t.__name__ if isinstance(t, type) else str(t).replace("numpy.", "np.")
