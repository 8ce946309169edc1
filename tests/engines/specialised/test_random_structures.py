"""Gradients by arguments of any structure: texts answer, and change, as the ordinary program does."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import function_of
from tests.engines.specialised.random_statements import seeds
from tests.engines.specialised.random_structures import NAMES, Program, drawn, made

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings
from chainrules.tangents import Composite, fields_of, is_zero


def numbers_in(v: Any, path: str = "") -> dict[str, Any]:
    """What is in a value or gradient, by where it stands."""
    if isinstance(v, Composite):
        inside = fields_of(v)
    elif isinstance(v, tuple | list):
        inside = v
    else:
        inside = v if isinstance(v, dict) else getattr(v, "__dict__", None)
    if inside is None:
        return {path: "nothing" if is_zero(v) else v}
    items = inside.items() if isinstance(inside, dict) else enumerate(inside)
    return {p: x for n, part in items for p, x in numbers_in(part, f"{path}/{n}").items()}


def hold(mine: Any, wanted: Any) -> None:
    """Two values or gradients hold the same."""
    found, other = numbers_in(mine), numbers_in(wanted)
    assert found.keys() == other.keys()
    for path, x in found.items():
        assert np.shape(x) == np.shape(other[path]), path
        if isinstance(x, str) or x is None:
            assert x == other[path], path
        else:
            np.testing.assert_allclose(x, other[path], rtol=1e-7, atol=1e-9, err_msg=path)


def answered(f: Any, chosen: Any, x: list[Any]) -> Any:
    """Value and gradients, or the name of the error."""
    try:
        return cr.value_and_grad(f, chosen)(*x)
    except (cr.ChainRulesError, IndexError) as error:
        return type(error).__name__


@pytest.mark.parametrize("seed", seeds(80))
@pytest.mark.filterwarnings("ignore::chainrules.ZeroDerivativeWarning")
def test_random_structures(seed):
    r = random.Random(seed)
    structures = [drawn(r, r.randint(0, 3)) for _ in range(r.randint(1, 2))]
    f = function_of(Program(r, structures).text, NAMES)
    chosen = tuple(range(len(structures))) if r.random() < 0.7 else r.randrange(len(structures))
    at_first = r.choice([0.0, 1.0])  # what is zero has many derivatives that are, for a while
    for k in range(7):
        scale = at_first if k < 4 else 1.0
        mine, his = ([made(s, np.random.default_rng([seed, k]), scale) for s in structures] for _ in range(2))
        answer = answered(f, chosen, mine)
        Settings.on = False
        try:
            wanted = answered(f, chosen, his)
        finally:
            Settings.on = True
        hold(answer, wanted)
        hold(mine, his)
        if isinstance(answer, str):
            return
