"""The catalogue as a whole: no rule without a case, no finding of the linter; what is missing is listed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from chainrules.testing.coverage import coverage, gaps
from chainrules.testing.coverage.data import kinds, named, public
from chainrules.testing.declared import declared_for
from chainrules.testing.inventory import inventory
from chainrules.testing.sweep import undeclared

MOST_GAPS = 5
PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS = list(PROJECT["tool"]["chainrules"]["cases"])
PARTS = [target for target in TARGETS if target.startswith("scipy.")]


@pytest.mark.parametrize("target", TARGETS)
def test_every_rule_has_a_case(target: str) -> None:
    entries = inventory(target, declared_for(target, start=Path(__file__).parent))
    assert [sentence for entry in entries for sentence in undeclared(entry)] == []


_LINT = """
from chainrules.core.linting import lint
from chainrules.core.loading import load_all
from chainrules.core.registry import registered

load_all()
own = [(entry, [m for ms in entry.methods.values() for m in ms if m.rule]) for entry in registered()]
print(*lint(own), sep="\\n", end="")
"""


def test_the_linter_finds_nothing() -> None:
    """In a process of its own: what other tests register is not of the catalogue."""
    done = subprocess.run([sys.executable, "-c", _LINT], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


@pytest.mark.parametrize("library", ["numpy", "scipy"])
def test_every_differentiable_function_has_both_modes(library: str) -> None:
    assert {row.name for row in coverage(library).missing} == set()


def test_gaps_are_few_and_have_reasons() -> None:
    declared = gaps("numpy")
    assert len(declared) <= MOST_GAPS
    assert all(len(why.split()) > 3 for why in declared.values())
    have_rules = {row.name for row in coverage("numpy").rows if row.status == "both"}
    assert not have_rules & declared.keys(), "no gap any more"


@pytest.mark.parametrize("module", ["numpy", "numpy.linalg", "numpy.fft", *PARTS])
def test_every_public_callable_is_classified(module: str) -> None:
    known = {name for name, (home, _) in kinds(module).items() if home == module}
    known |= {name.rpartition(".")[0] for name in known}  # an object whose methods are classified
    offered = {f"{module}.{name}" for name in public(named(module))}
    assert offered - known == set(), "run scripts/coverage_data.py, and classify what it names"
