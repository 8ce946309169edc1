"""The checks: each a function of a case that returns nothing and raises a `CheckError`."""

from .agreement import adjoint_identity as adjoint_identity
from .forward import FORWARD as FORWARD
from .reverse import REVERSE as REVERSE
