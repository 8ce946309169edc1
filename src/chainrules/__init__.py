"""Write a derivative rule once; every Python engine of automatic differentiation can use it."""

from .tangents import ChainRulesError as ChainRulesError
from .tangents import Composite as Composite
from .tangents import InplaceableThunk as InplaceableThunk
from .tangents import MismatchedPrimalError as MismatchedPrimalError
from .tangents import NoTangent as NoTangent
from .tangents import NotImplementedTangent as NotImplementedTangent
from .tangents import ShapeMismatch as ShapeMismatch
from .tangents import Thunk as Thunk
from .tangents import Zero as Zero
from .tangents import add as add
from .tangents import unthunk as unthunk

__version__ = "0.1.0.dev0"

__all__ = [
    "ChainRulesError",
    "Composite",
    "InplaceableThunk",
    "MismatchedPrimalError",
    "NoTangent",
    "NotImplementedTangent",
    "ShapeMismatch",
    "Thunk",
    "Zero",
    "__version__",
    "add",
    "unthunk",
]
