"""The linter: mistakes in rules that can be seen without running them.

`lint` looks at all rules of some entries; debug mode has each rule looked at as it is registered,
for what cannot be mended by a rule that comes later. A rule is excused from one kind of finding by a
comment in its source, beside the decorator: `# lint: catch-all is meant, every object has a type`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .. import debug
from ..registry import Method, Rules, rules_of
from .finding import Finding, RuleLintWarning
from .methods import ambiguous, lone, unreachable
from .ownership import catch_all, piracy
from .parameters import parameters
from .returns import returns
from .source import excuses

__all__ = ["Finding", "RuleLintWarning", "lint", "lint_method"]

Check = Callable[[Rules, Method], Iterable[Finding]]
OF_A_RULE: tuple[Check, ...] = (unreachable, piracy, catch_all, parameters, returns)


def lint(entries: Iterable[tuple[Rules, Iterable[Method]]]) -> list[Finding]:
    """The findings about these methods of these callables, in order, those excused left out."""
    found: list[Finding] = []
    for rules, methods in entries:
        chosen = list(methods)
        found += [finding for method in chosen for finding in lint_method(rules, method)]
        together = [*ambiguous(rules, chosen), *lone(rules, chosen)]
        found += [finding for finding in together if not excuses(finding.method, finding.code)]
    return found


def lint_method(rules: Rules, method: Method) -> Iterator[Finding]:
    """What is wrong with one rule, whatever rules are registered after it."""
    for check in OF_A_RULE:
        for finding in check(rules, method):
            if not excuses(method, finding.code):
                yield finding


def _warn(f: Any, method: Method) -> None:
    rules = rules_of(f)
    for finding in () if rules is None else lint_method(rules, method):
        warnings.warn(str(finding), RuleLintWarning, stacklevel=4)


debug.at_registration(_warn)
