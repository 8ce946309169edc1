"""An argument of the function is missing."""

import chainrules as cr


def loss(w, x):
    return w * x


print(cr.grad(loss)(1.0))
