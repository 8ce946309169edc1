"""Who consumes rules: the operators, the built-in source engine, and adapters to other engines."""

if __name__ != "chainrules.engines":
    raise ImportError("engines is a part of chainrules: import chainrules.engines")

from . import source as source
from . import tape as tape
from .adapters.doors import from_jax as from_jax
from .adapters.doors import from_torch as from_torch
from .adapters.doors import to_autograd as to_autograd
from .adapters.doors import to_jax as to_jax
from .adapters.doors import to_pytensor as to_pytensor
from .adapters.doors import to_torch as to_torch
from .checkpointing import checkpoint as checkpoint
from .cutting import stop_gradient as stop_gradient
from .cutting import with_gradient as with_gradient
from .public import derivative as derivative
from .public import derivative_source as derivative_source
from .public import elementwise_grad as elementwise_grad
from .public import explain as explain
from .public import grad as grad
from .public import hessian as hessian
from .public import hvp as hvp
from .public import jacfwd as jacfwd
from .public import jacobian as jacobian
from .public import jacrev as jacrev
from .public import jvp as jvp
from .public import linear_transpose as linear_transpose
from .public import linearize as linearize
from .public import minimize as minimize
from .public import value_and_derivative as value_and_derivative
from .public import value_and_grad as value_and_grad
from .public import value_and_jacobian as value_and_jacobian
from .public import verify as verify
from .public import vjp as vjp
from .public import vmap as vmap
from .warned import ZeroDerivativeWarning as ZeroDerivativeWarning
