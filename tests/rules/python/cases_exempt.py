"""Rules for Python that no case can show, each with the reason."""

import functools
import itertools
import operator
from typing import Any

from chainrules.core.changes import functional
from chainrules.tangents import Composite
from chainrules.testing import exempt

CALLING = (map, filter, itertools.filterfalse, itertools.accumulate, itertools.starmap)
LAZY = (zip, enumerate, reversed, dict.values, dict.items)
INTEGER = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.invert)
CHANGING = (
    *(list.append, list.insert, list.pop, list.extend, list.remove, list.reverse, list.clear),
    *(dict.update, dict.pop, dict.setdefault),
)
KEYS = (sorted, max, min, set, frozenset, reversed)
IN_VALUES: list[Any] = [functional(f) for f in CHANGING]
EXEMPT = [
    *(exempt(f, why="a method in values; test_changing checks the method") for f in IN_VALUES),
    *(exempt(f, why="makes an iterator; test_iteration checks the rules with its items") for f in LAZY),
    *(exempt(f, why="makes an iterator; test_functional checks the rules with its items") for f in CALLING),
    *(exempt(f, why="defined for integers only") for f in INTEGER),
    exempt(operator.getitem, Composite, why="a tangent as primal; test_subscripts has its values"),
    exempt(operator.getitem, str | bytes, why="nothing here can be perturbed"),
    exempt(operator.getitem, range, why="nothing here can be perturbed"),
    exempt(functools.update_wrapper, why="returns a function; the engine's tests of decorators show it"),
    *(exempt(f, dict, why="nothing about keys can be perturbed; test_iteration has them") for f in KEYS),
    exempt(super, why="makes a view of an object that has no value of its own"),
]
