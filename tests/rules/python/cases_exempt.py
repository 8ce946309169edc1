"""Rules for Python that no case can show, each with the reason."""

import functools
import heapq
import itertools
import operator
from collections import OrderedDict, deque
from typing import Any

from chainrules.core.callables import attribute
from chainrules.core.changes import declared
from chainrules.core.registry import rules_of
from chainrules.rules.python.choosing import _brought_back, _chosen
from chainrules.rules.python.iteration import Bare
from chainrules.tangents import Composite, ItemTangent
from chainrules.testing import exempt

CALLING = (map, filter, itertools.filterfalse, itertools.accumulate, itertools.starmap)
LAZY = (zip, enumerate, reversed, dict.values, dict.items, OrderedDict.values, OrderedDict.items)
INTEGER = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.invert)
CHANGING = (
    *(list.append, list.insert, list.pop, list.extend, list.remove, list.reverse, list.clear),
    *(dict.update, dict.pop, dict.setdefault, dict.popitem, list.sort),
    *(OrderedDict.popitem, OrderedDict.move_to_end),
    *(deque.append, deque.appendleft, deque.pop, deque.popleft, deque.extend, deque.extendleft),
    *(deque.rotate, deque.remove, deque.reverse, deque.clear),
    *(heapq.heapify, heapq.heappop, heapq.heappush, heapq.heapreplace, heapq.heappushpop),
)
CHOOSING = (
    *(itertools.chain, itertools.product, itertools.pairwise, itertools.permutations),
    *(itertools.combinations, itertools.combinations_with_replacement, itertools.islice, itertools.compress),
    *([itertools.batched] if hasattr(itertools, "batched") else []),
)
KEYS = (sorted, max, min, set, frozenset, reversed)
IN_VALUES: list[Any] = [g for f in CHANGING for g, _ in declared(f) if rules_of(g) is not None]
EXEMPT = [
    *(exempt(f, why="a method in values; test_changing checks the method") for f in IN_VALUES),
    *(exempt(f, why="makes an iterator; test_iteration checks the rules with its items") for f in LAZY),
    *(exempt(f, why="makes an iterator; test_choosing checks the rules with its items") for f in CHOOSING),
    *(exempt(f, why="linear; the second order of test_choosing shows it") for f in (_chosen, _brought_back)),
    exempt(heapq.merge, why="makes an iterator; test_choosing checks the rules with its items"),
    *(exempt(f, why="makes an iterator; test_functional checks the rules with its items") for f in CALLING),
    *(exempt(f, why="defined for integers only") for f in INTEGER),
    exempt(object.__setattr__, why="writes into an object; test_second_order has it in programs"),
    exempt(operator.getitem, Composite | ItemTangent, why="a tangent as primal; test_subscripts has them"),
    exempt(operator.getitem, str | bytes, why="nothing here can be perturbed"),
    exempt(operator.getitem, range, why="nothing here can be perturbed"),
    exempt(functools.update_wrapper, why="returns a function; the engine's tests of decorators show it"),
    *(exempt(f, Bare, why="nothing of theirs can be perturbed; test_iteration has keys") for f in KEYS),
    exempt(attribute("__class__"), why="a class has no tangent; test_attributes has programs with it"),
    *(exempt(f, why="nothing here can be perturbed") for f in (set.add, set.discard, set.remove)),
    exempt(super, why="makes a view of an object that has no value of its own"),
]
