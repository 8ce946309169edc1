"""Each ufunc of the family files written into an array, `out=`, at the first of its own cases that fits."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case

from chainrules.core.loading import load_all
from chainrules.core.registry import registered
from chainrules.testing import check_rule
from chainrules.testing.random import WithTangent

load_all()
HERE = Path(__file__)
FAMILIES = sorted(file.stem for file in HERE.parent.glob("test_*.py") if file != HERE)


def declared() -> dict[Any, tuple[Any, ...]]:
    """The arguments of the first plain call of each ufunc, family by family."""
    found: dict[Any, tuple[Any, ...]] = {}
    for family in FAMILIES:
        module = import_module(f"tests.rules.scipy.special.{family}")
        for f, args, kwargs in (entry.values for entry in getattr(module, "CASES", ())):
            if isinstance(f, np.ufunc) and len(args) == f.nin and not kwargs:
                found.setdefault(f, args)
    return found


def room(f: np.ufunc, args: tuple[Any, ...]) -> Any:
    """An array like the value."""
    return np.zeros_like(np.asarray(f(*(x.primal if isinstance(x, WithTangent) else x for x in args))))


MAY_WRITE = {
    r.f
    for r in registered()
    for methods in r.methods.values()
    for m in methods
    if m.mutates and m.rule is not None and m.rule.__module__.startswith("chainrules.rules.scipy.special")
}
CASES = [
    case(f, *args, room(f, args), why="written into an array")
    for f, args in declared().items()
    if f in MAY_WRITE
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_no_ufunc_that_may_write_is_left_out():
    modules = (import_module(f"tests.rules.scipy.special.{family}") for family in FAMILIES)
    rough = {entry.f for module in modules for entry in getattr(module, "EXEMPT", ())}
    assert MAY_WRITE - set(declared()) - rough == set()
