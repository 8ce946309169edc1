"""The programs of the other tests: both modes agree with differences, those that change things too."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from tests.engines.table import Table

import chainrules as cr
from chainrules.testing import check_grads

_FOLDER = Path(__file__).parents[1]
MODULES = sorted(p.stem for p in _FOLDER.glob("test_*.py") if re.search(r"= Table\(\)", p.read_text("utf-8")))
REFUSED = ("called_by_functions_of_libraries", "called_on_nothing_and_on_whole_numbers")
"""Programs that hand functions to rules which change what they hold: no site sees what these do."""
TWICE = ("test_mutation", "test_second_order", "test_rules_that_write", "test_generators", "test_objects")
"""The modules whose programs are differentiated twice as well."""


def rows_of(*modules: str) -> list[Any]:
    """The rows of the tables of these modules."""
    found = []
    for name in modules:
        module = importlib.import_module(f"tests.engines.{name}")
        for table in [v for v in vars(module).values() if isinstance(v, Table)]:
            found += [pytest.param(*row.values, id=f"{name[5:]}-{row.id}") for row in table.rows]
    return found


@pytest.mark.parametrize(("f", "x"), rows_of(*MODULES))
def test_both_modes_agree_with_differences(f: Any, x: Any) -> None:
    if getattr(f, "__name__", "") in REFUSED:
        for run in (lambda: cr.grad(f)(*x), lambda: cr.jvp(f, x, x)):
            with pytest.raises(cr.ChainRulesError, match="next: "):
                run()
        return
    check_grads(f, *x, order=1)


@pytest.mark.parametrize(("f", "x"), rows_of(*TWICE))
def test_second_derivatives_agree_with_differences(f: Any, x: Any) -> None:
    check_grads(f, *x, order=2)
