"""A scalar rule belongs to the module that calls `scalar_rule`: another's is refused, a re-run is not."""

import math
from typing import Any

import numpy as np
import pytest

from chainrules.core import RegistrationError, apply_rrule, rules_for

ROW = "scalar_rule(f, lambda y, x: {slope})"


def run(module: str, f: Any, slope: float) -> None:
    """Call `scalar_rule` from a file of this module."""
    scope: dict[str, Any] = {"__name__": module, "f": f}
    exec("from chainrules.core import scalar_rule\n", scope)
    exec(compile(ROW.format(slope=slope), f"{module}.py", "exec"), scope)


def slope_of(f: Any) -> Any:
    applied = apply_rrule(f, 1.0)
    assert applied is not None
    return applied[1](1.0)[0]


def test_another_module_may_not_replace_a_scalar_rule_and_its_own_may() -> None:
    f = np.frompyfunc(math.cbrt, 1, 1)
    run("first", f, 2.0)
    with pytest.raises(RegistrationError, match=r"first\.py:1"):
        run("second", f, 3.0)
    assert slope_of(f) == 2.0
    run("first", f, 5.0)
    assert slope_of(f) == 5.0


def test_it_stands_where_it_was_called() -> None:
    f = np.frompyfunc(math.expm1, 1, 1)
    run("written_here", f, 1.0)
    assert str(rules_for(f)).count("written_here.py:1") == 2
