"""A function that was differentiated often, and then is given what it cannot compute."""

import math

import chainrules as cr


def loss(x):
    return math.log(x) * x


gradient = cr.grad(loss)
for _ in range(8):
    gradient(2.0)
print(gradient(-2.0))
