"""A cotangent that is not like the value."""

import numpy as np

import chainrules as cr


def f(x):
    return np.sum(x * x)


y, pullback = cr.vjp(f, np.ones(3))
print(pullback(np.ones(3)))
