"""PyTensor's products with a Jacobian, by the names of its third version; PyMC is built on the second."""

from typing import Any

import pytensor.gradient

if hasattr(pytensor.gradient, "pullback"):
    pullback, pushforward = pytensor.gradient.pullback, pytensor.gradient.pushforward
else:
    pullback = pytensor.gradient.Lop

    def pushforward(f: Any, wrt: Any, tangents: Any, *, use_op_pushforward: bool = False) -> Any:
        return pytensor.gradient.Rop(f, wrt, tangents, use_op_rop_implementation=use_op_pushforward)
