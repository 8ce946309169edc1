"""A direction that is not like its argument."""

import numpy as np

import chainrules as cr


def f(x):
    return np.sin(x)


print(cr.jvp(f, (np.ones(3),), (np.ones(2),)))
