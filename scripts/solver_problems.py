"""Write docs/solver_problems.md: what the derivatives of solvers are tested on, from the tests' own tables.

    python scripts/solver_problems.py

A test holds the page to the tables.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "solver_problems.md"
TESTS = ROOT / "tests" / "rules" / "scipy"


class Table(NamedTuple):
    """A table of problems: its file and name, their kind, and what their derivatives are held to."""

    file: str
    name: str
    kind: str
    truth: str


TABLES = (
    Table("optimize/test_scalar_roots.py", "WAYS", "Roots of one number",
          "the closed forms of x′ and x″, to ten times the tolerance of 2e-12 and to 1e-7, in both modes"),
    Table("optimize/test_entrywise.py", "PROGRAMS", "Many roots and minima at once",
          "closed forms, to 1e-9, minima to 1e-6, in both modes; second derivatives as well"),
    Table("optimize/test_problems.py", "EXACT", "Systems, minima and programs, found to many digits",
          "differences of tight solves, to 2e-5, in both modes; second derivatives to 2e-4"),
    Table("optimize/test_problems.py", "ROUGH", "Searches that find few digits",
          "differences of what they find, to 1e-3; the modes agree to 1e-6"),
    Table("integrate/test_initial_values.py", "PROGRAMS", "Differential equations and their events",
          "closed forms, to ten times the solver's tolerance of 1e-6, in both modes"),
    Table("integrate/test_quadrature.py", "PROGRAMS", "Integrals",
          "closed forms, to 1e-7, in both modes"),
    Table("integrate/test_boxes.py", "PROGRAMS", "Integrals over boxes",
          "closed forms, to the tolerance of 1e-6, in both modes"),
    Table("integrate/test_elementwise.py", "PROGRAMS", "Many integrals at once",
          "closed forms, to ten times the tolerance of 2e-12, in both modes"),
    Table("integrate/test_triple.py", "PROGRAMS", "Triple integrals",
          "closed forms, to 1e-8, in both modes"),
    Table("integrate/test_boundary_values.py", "PROGRAMS", "Boundary value problems",
          "closed forms, to ten times the solver's tolerance of 1e-7, in both modes"),
    Table("differentiate/test_differences.py", "PROGRAMS", "Differences",
          "closed forms, to 1e-12, in both modes; second derivatives to 1e-11"),
    Table("integrate/test_sums.py", "PROGRAMS", "Sums and series",
          "closed forms, to 1e-8, in both modes"),
)  # fmt: skip

HEAD = """# What the derivatives of solvers are tested on

Each problem is a program with a solver inside that depends on a parameter, and its derivative is known: in
closed form, or by differences of a solve that is tight. {count} problems are right in the suite.
[Derivatives of what a solver found](implicit.md) says how the derivatives come about.
"""
FOOT = """
Beside them stand tests of what is refused: searches that did not converge, double roots, degenerate vertices
and active sets, flat minima, events without a slope.

`python scripts/solver_problems.py` writes this page from the tables of the tests.
"""


def problems(table: Table) -> list[str]:
    """The names in a table."""
    spec = importlib.util.spec_from_file_location(f"problems_{Path(table.file).stem}", TESTS / table.file)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(TESTS / table.file)
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(getattr(module, table.name))


def page() -> str:
    """The text of the page."""
    listed = [(table, problems(table)) for table in TABLES]
    parts = [HEAD.format(count=sum(len(names) for _, names in listed))]
    for table, names in listed:
        parts.append(f"\n## {table.kind}: {len(names)}\n\nHeld to {table.truth}.\n\n")
        parts.append("".join(f"- {name}\n" for name in names))
    return "".join([*parts, FOOT])


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))  # the tables import what the tests share
    PAGE.write_text(page(), encoding="utf-8")
