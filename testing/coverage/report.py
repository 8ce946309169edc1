"""The report: each function of a library with the modes in which it has rules."""

from __future__ import annotations

import inspect
import warnings
from importlib import import_module
from typing import Any, NamedTuple

from ...core import loading, rules_for
from ...core.registry import registered
from ...core.report import RuleSet
from .data import REASONS, gaps, kinds, named, public


class Row(NamedTuple):
    """One function: what it is, the modes it has rules in, and what is declared of it."""

    name: str
    module: str
    kind: str  # differentiable, discrete, creation, other; unknown where no data says
    modes: tuple[str, ...]
    only: bool  # one mode, and declared with its reason that there is only this one
    note: str

    @property
    def status(self) -> str:
        """`both`, `forward`, `reverse` or `none`; `only forward` and `only reverse` where declared so."""
        if len(self.modes) == 2:
            return "both"
        return " ".join(["only"] * self.only + list(self.modes)) or "none"


class Coverage(NamedTuple):
    """The functions of a library or module."""

    target: str
    rows: tuple[Row, ...]
    gaps: dict[str, str]

    @property
    def differentiable(self) -> list[Row]:
        """Those that have a derivative, as far as is known."""
        return [row for row in self.rows if row.kind in ("differentiable", "unknown")]

    @property
    def missing(self) -> list[Row]:
        """Differentiable functions without rules in both modes that are no declared gaps."""
        return [row for row in self.differentiable if row.status != "both" and row.name not in self.gaps]


def coverage(target: str) -> Coverage:
    """The functions of a library or module, with and without rules.

    Raises:  ModuleNotFoundError, AttributeError where there is no such module.
    Example: >>> found = coverage("numpy.linalg")
             >>> next(row.status for row in found.rows if row.name == "numpy.linalg.solve")
             'both'
    """
    loading.load_all()
    known = kinds(target)
    if not known:
        offered = public(import_module(target))
        written = {id(m.rule) for rules in registered() for ms in rules.methods.values() for m in ms}
        rows = [
            _row(f"{target}.{name}", target, "unknown", f)
            for name, f in offered.items()
            if id(f) not in written  # a rule is no function of the library
        ]
    else:
        rows = []
        for name, (module, kind) in known.items():
            try:
                f = _named(name)
            except AttributeError:  # another version of the library
                continue
            rows.append(_row(name, module, kind, f))
    declared = gaps(target.partition(".")[0])
    inside = {name: why for name, why in declared.items() if name.startswith(f"{target}.")}
    return Coverage(target, tuple(sorted(rows, key=lambda row: (row.module, row.name))), inside)


def _named(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated names warn when they are read
        return named(name)


def _row(name: str, module: str, kind: str, f: Any) -> Row:
    found = _rules(f)
    modes = tuple(mode for mode in ("forward", "reverse") if getattr(found, mode))
    note = found.non_differentiable or next(iter(found.only.values()), "") or REASONS.get(kind, "")
    if kind == "unknown" and found.non_differentiable is not None:
        kind = "discrete"
    return Row(name, module, kind, modes, bool(found.only), note)


def _rules(f: Any) -> RuleSet:
    """The rules of a callable; those of calling its instances for a class without any."""
    loading.load_for((f,))  # classes that get their rules when they are first looked up
    found = rules_for(f)
    if inspect.isclass(f) and not (found.forward or found.reverse):
        call = vars(f).get("__call__")
        if callable(call):
            return rules_for(call)
    return found
