"""A gradient by an argument that is not there."""

import chainrules as cr


def loss(a, b):
    return a * b


print(cr.value_and_grad(loss, argnums=2)(1.0, 2.0))
