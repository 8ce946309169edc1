"""The rules of a package, callable by callable, and which of them a case reaches.

A package is named as people name it: the library that is differentiated (`numpy`), the package
that registers rules (`chainrules.rules.python`, `mypackage`), or the last part of its name
(`python`). Its rules are those written in it and, for a library, those for its own callables that
are written elsewhere in the distribution that announced itself for that library.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

from ..core import loading
from ..core.callables import call_operator, name_of, normalise
from ..core.errors import AmbiguousRuleError
from ..core.lookup import find
from ..core.registry import Method, Mode, Rules, registered
from .declared import DeclarationError, Declared, DeclaredCase
from .random import WithTangent

MODES: tuple[Mode, Mode] = ("forward", "reverse")
NOTHING = Declared()


class Inventory(NamedTuple):
    """The rules that a package registers for one callable, and the cases declared for them."""

    rules: Rules
    methods: tuple[Method, ...]
    cases: tuple[DeclaredCase, ...]
    undeclared: tuple[Method, ...]  # methods that no case reaches and that are not exempt
    exempt: tuple[str, ...]  # why some of them need none

    @property
    def name(self) -> str:
        return name_of(self.rules.f)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes in which there are rules."""
        return tuple(mode for mode in MODES if any(m.mode == mode for m in self.methods))


def inventory(target: str, declared: Declared = NOTHING) -> list[Inventory]:
    """The rules of a package with what is declared for them, by name.

    A class that has the rules of its base counts where a case is declared for it.

    Raises:  DeclarationError where nothing of that name registers rules.
    """
    modules, libraries = _where(target)
    entries = [(r, tuple(m for m in _written(r) if _belongs(r, m, modules, libraries))) for r in registered()]
    reached: dict[int, list[tuple[DeclaredCase, set[Method]]]] = {}
    for case in declared.cases:
        entry, hits = reached_by(case)
        reached.setdefault(id(entry), []).append((case, hits))
    found = []
    for rules, methods in entries:
        own = reached.get(id(rules), [])
        if methods and (own or not loading.has_rules_of_base(rules.f)):
            exempt = [e for e in declared.exemptions if e.f is rules.f]
            seen: set[Method] = set().union(*(hit for _, hit in own))
            seen.update(m for m in methods for e in exempt if m.signature.types[: len(e.types)] == e.types)
            missing = tuple(m for m in methods if m not in seen)
            why = tuple(e.why for e in exempt)
            found.append(Inventory(rules, methods, tuple(c for c, _ in own), missing, why))
    if not found:
        raise DeclarationError(
            f"{target} registers no rules",
            closest=f"libraries with rules: {', '.join(sorted(loading.announced()))}",
            next="name a library, or a module that registers rules when it is imported",
        )
    return sorted(found, key=lambda entry: entry.name)


def reached_by(case: DeclaredCase) -> tuple[Rules | None, set[Method]]:
    """What is declared of the callable that a case calls, and the methods that answer it."""
    args = tuple(x.primal if isinstance(x, WithTangent) else x for x in case.args)
    f, args, kwargs = normalise(case.f, args, case.kwargs)
    call = call_operator(f)
    readings = [(f, args)] if call is None else [(f, args), (call, (f, *args))]
    entry: Rules | None = None
    methods: set[Method] = set()
    for g, values in readings:
        for mode in MODES:
            try:
                found = find(mode, g, values, kwargs)
            except AmbiguousRuleError:  # the check says so, with the case
                continue
            if found is not None:
                entry = found.rules
                methods |= set() if found.method is None else {found.method}
    return entry, methods


def _where(target: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The modules that hold the rules of a target, and the libraries that they are for; all are loaded."""
    loading.load_all()
    announced = loading.announced()
    named = {target, *(m for ms in announced.values() for m in ms if m.rpartition(".")[2] == target)}
    modules = tuple(announced.get(target, ())) or tuple(named - {target}) or (target,)
    if modules == (target,):
        try:
            importlib.import_module(target)
        except ModuleNotFoundError as error:
            raise DeclarationError(
                f"there is no package, module or library {target}", where=str(error),
                closest=f"libraries with rules: {', '.join(sorted(announced))}",
                next="install it, or mend the name",
            ) from error  # fmt: skip
    own = {m.partition(".")[0] for m in modules}  # their package's internals are nobody's library
    libraries = {library for library, theirs in announced.items() if set(modules) & set(theirs)}
    return modules, frozenset(libraries - own)


def _written(rules: Rules) -> list[Method]:
    return [m for mode in MODES for m in rules.methods[mode] if m.rule is not None and not m.shared]


def _belongs(rules: Rules, method: Method, modules: tuple[str, ...], libraries: frozenset[str]) -> bool:
    """Whether a method is one of these modules', or of their distribution and for their library."""
    written: Any = method.rule.__module__ if method.rule is not None else ""
    if any(written == m or written.startswith(f"{m}.") for m in modules):
        return True
    if not libraries.intersection(loading.libraries_of(rules.f)):
        return False
    elsewhere = {m for ms in loading.announced().values() for m in ms} - set(modules)
    if any(written == m or written.startswith(f"{m}.") for m in elsewhere):
        return False
    return written.partition(".")[0] in {m.partition(".")[0] for m in modules}
