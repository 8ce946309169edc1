"""Who consumes rules: the operators, the built-in source engine, and adapters to other engines."""

if __name__ != "chainrules.engines":
    raise ImportError("engines is a part of chainrules: import chainrules.engines")

from . import source as source
from .operators import derivative as derivative
from .operators import grad as grad
from .operators import jvp as jvp
from .operators import value_and_derivative as value_and_derivative
from .operators import value_and_grad as value_and_grad
from .operators import vjp as vjp
