"""Rules for NumPy that no case can show, each with the reason."""

import numpy as np

from chainrules.core import Array
from chainrules.core.callables import attribute
from chainrules.core.registry import registered
from chainrules.rules import spans
from chainrules.rules.numpy import nesting
from chainrules.testing import exempt

ABOUT = ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides", "flags")
SPANS = [
    (r.f, m)
    for r in registered()
    for m in r.methods["reverse"]
    if getattr(m.rule, "__module__", "") == spans.__name__
]
EXEMPT = [
    *(
        exempt(f, *m.signature.types, why="clocks move by whole ticks; test_spans checks them")
        for f, m in SPANS
    ),
    exempt(np.vectorize, why="makes a callable; test_calling calls it"),
    *(exempt(attribute(name), why="tells of shape or type, whose values have no tangent") for name in ABOUT),
    exempt(attribute("flat"), why="an iterator, which is a vector here; test_reading has programs with it"),
    *(exempt(f, why="part of numpy.array of nested lists") for f in (nesting.nest, nesting.unnest)),
    *(
        exempt(f, Array, Array, np.ndarray, why="NumPy takes the out of extrema by name alone")
        for f in (np.maximum, np.minimum)
    ),
    exempt(int.conjugate, why="integers are not moved, and a float is none"),
    exempt(np.float16, why="half precision is too coarse for differences"),
]
