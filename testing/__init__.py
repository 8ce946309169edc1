"""How we know: finite differences and the checkers that hold a rule to its whole contract."""

if __name__ != "chainrules.testing":
    raise ImportError("testing is a part of chainrules: import chainrules.testing")

from .api import check_frule as check_frule
from .api import check_grads as check_grads
from .api import check_rrule as check_rrule
from .api import check_rule as check_rule
from .case import CheckError as CheckError
from .constraints import constrained as constrained
from .declared import DeclarationError as DeclarationError
from .declared import declare as declare
from .declared import exempt as exempt
from .engines import check_engine as check_engine
from .finite import jvp as jvp
from .finite import vjp as vjp
from .foreign import Derivatives as Derivatives
from .foreign import check_derivatives as check_derivatives
from .foreign import from_jax as from_jax
from .foreign import from_torch as from_torch
from .random import random_tangent as random_tangent
from .random import with_tangent as with_tangent
from .richardson import DifferencesError as DifferencesError
from .settings import Settings as Settings
from .settings import checking as checking
from .user_types import check_type as check_type
