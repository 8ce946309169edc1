"""The user's function fails while its second derivative is taken."""

import math

import chainrules as cr


def loss(x):
    return math.sqrt(x - 3.0)


print(cr.grad(cr.grad(loss))(2.0))
