"""The gradient of a function that returns an array."""

import numpy as np

import chainrules as cr


def squares(x):
    return x**2


print(cr.grad(squares)(np.ones(3)))
