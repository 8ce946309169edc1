"""A value that the tape records is made a plain number."""

import numpy as np

import chainrules as cr


def loss(x):
    return np.sin(float(x))


print(cr.grad(loss, engine="tape")(2.0))
