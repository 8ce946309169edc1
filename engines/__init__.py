"""Who consumes rules: the operators, the built-in source engine, and adapters to other engines."""

if __name__ != "chainrules.engines":
    raise ImportError("engines is a part of chainrules: import chainrules.engines")

from . import source as source
from . import tape as tape
from .adapters import from_jax as from_jax
from .adapters import from_torch as from_torch
from .adapters import to_autograd as to_autograd
from .adapters import to_jax as to_jax
from .adapters import to_pytensor as to_pytensor
from .adapters import to_torch as to_torch
from .checkpointing import checkpoint as checkpoint
from .cutting import stop_gradient as stop_gradient
from .cutting import with_gradient as with_gradient
from .elementwise import elementwise_grad as elementwise_grad
from .jacobians import hessian as hessian
from .jacobians import hvp as hvp
from .jacobians import jacfwd as jacfwd
from .jacobians import jacobian as jacobian
from .jacobians import jacrev as jacrev
from .jacobians import value_and_jacobian as value_and_jacobian
from .linear import linear_transpose as linear_transpose
from .linear import linearize as linearize
from .operators import derivative as derivative
from .operators import grad as grad
from .operators import jvp as jvp
from .operators import value_and_derivative as value_and_derivative
from .operators import value_and_grad as value_and_grad
from .operators import vjp as vjp
from .warned import ZeroDerivativeWarning as ZeroDerivativeWarning
