"""Python that is not differentiated."""

import chainrules as cr


async def loss(x):
    return x * x


print(cr.grad(loss)(2.0))
