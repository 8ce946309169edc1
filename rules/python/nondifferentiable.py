"""Operators and functions of Python without a derivative, grouped by the reason.

Not here, so that they are refused on an active path: `str`, `repr` and `format`, from whose text
`float` could make the number again. Bit operations are constant in float tangents; they have a zero
derivative for numbers only, since `|` of two dicts has another.
"""

from __future__ import annotations

import bisect
import math
import operator
import threading
from collections import OrderedDict

from ...core import non_differentiable
from ..steps import piecewise_constant

non_differentiable(
    *(operator.lt, operator.le, operator.eq, operator.ne, operator.ge, operator.gt),
    *(operator.is_, operator.is_not, operator.not_, operator.truth, operator.contains),
    *(all, any, isinstance, issubclass, callable, hasattr),
    *(math.isfinite, math.isinf, math.isnan, math.isclose),
    why="returns a truth value",
)
non_differentiable(
    *(len, range, hash, id, operator.index, operator.countOf, operator.indexOf),
    *(list.count, list.index, tuple.count, tuple.index),
    *(bisect.bisect_left, bisect.bisect_right),
    why="returns an integer or a range of them",
)
non_differentiable(
    math.gcd, math.lcm, math.comb, math.perm, math.factorial, math.isqrt, why="defined for integers only"
)
non_differentiable(type, why="returns a class")
non_differentiable(dict.keys, OrderedDict.keys, why="returns the keys")
non_differentiable(print, why="shows values")

piecewise_constant(operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, arity=2)
piecewise_constant(operator.invert)

SYNCHRONISED = (threading.Condition, threading.Semaphore, threading.BoundedSemaphore)
"""Classes of Python that hold locks: what they do is not followed, so that nothing is refused half-way."""
non_differentiable(
    *(
        getattr(kind, name)
        for kind in SYNCHRONISED
        for name in (
            "__enter__",
            "__exit__",
            "acquire",
            "release",
            "wait",
            "wait_for",
            "notify",
            "notify_all",
        )
        if name in vars(kind)
    ),
    why="waits for other threads",
)
