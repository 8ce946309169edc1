"""One check for each declared case of a package, for a test runner that wants them one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .api import check_rule
from .case import CheckError
from .declared import DeclaredCase, declared_for
from .inventory import Inventory, inventory
from .sweep import undeclared


@dataclass(frozen=True)
class DeclaredCheck:
    """The check of one case; without a case, the failure to declare one."""

    entry: Inventory
    case: DeclaredCase | None

    def __call__(self) -> None:
        """Run it.

        Raises:  AssertionError as `check_rule` does; CheckError naming the rules that no case reaches.
        """
        __tracebackhide__ = True
        if self.case is None:
            raise CheckError("\n".join(undeclared(self.entry)))
        check_rule(self.case.f, *self.case.args, **self.case.kwargs)

    def __str__(self) -> str:
        return f"{self.entry.name}: no case" if self.case is None else str(self.case)


def checks_of(package: str, cases: Iterable[str] = (), start: Path | None = None) -> list[DeclaredCheck]:
    """The checks of every rule of a package: one for each case, one for rules without any.

    Raises:  DeclarationError where there are no rules or no cases of that name.
    """
    checks: list[DeclaredCheck] = []
    for entry in inventory(package, declared_for(package, cases, start)):
        checks += [DeclaredCheck(entry, case) for case in entry.cases]
        checks += [DeclaredCheck(entry, None)] * bool(entry.undeclared)
    return checks
