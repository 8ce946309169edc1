"""A user's own types and pointers: declared tangents, their variables, manifolds, and what goes with
functions.

One idea carries all of it. A type is a *value*: its differential is returned, in a canonical form that its
author may declare, made at the boundary of an operator and nowhere else. Or it is a *pointer*: its
differential is a second object that the caller supplies, and that is only ever written through.
"""

if __name__ != "chainrules.types":
    raise ImportError("usertypes is the part chainrules.types: import chainrules.types")

from .attributes import NotForwardDifferentiableError as NotForwardDifferentiableError
from .attributes import NotReverseDifferentiableError as NotReverseDifferentiableError
from .attributes import derivative as derivative
from .attributes import differentiable as differentiable
from .attributes import from_bwd as from_bwd
from .conditions import is_differentiable as is_differentiable
from .conditions import register_type as register_type
from .declaring import differentiable_type as differentiable_type
from .differentials import bwd_diff as bwd_diff
from .differentials import fwd_diff as fwd_diff
from .manifolds import Definite as Definite
from .manifolds import Orthogonal as Orthogonal
from .manifolds import Simplex as Simplex
from .manifolds import Sphere as Sphere
from .marks import ImplicitNoDerivativeWarning as ImplicitNoDerivativeWarning
from .marks import no_derivative as no_derivative
from .marks import nondiff as nondiff
from .matrices import SkewSymmetric as SkewSymmetric
from .matrices import Symmetric as Symmetric
from .numeric import Arithmetic as Arithmetic
from .numeric import VectorNumeric as VectorNumeric
from .numeric import repeating as repeating
from .numeric import shape_of as shape_of
from .numeric import vector_numeric as vector_numeric
from .pairing import diff_pair as diff_pair
from .pairs import DifferentialPair as DifferentialPair
from .pointers import DHashGridPtr as DHashGridPtr
from .pointers import DPtr as DPtr
from .pointers import deriv_method as deriv_method
from .quantized import Quantized as Quantized
from .roles import DifferentiableBase as DifferentiableBase
from .roles import DifferentiablePtr as DifferentiablePtr
from .roles import DifferentiableValue as DifferentiableValue
from .roles import IDifferentiable as IDifferentiable
from .roles import MissingDifferentialError as MissingDifferentialError
from .roles import SelfTangent as SelfTangent
from .spaces import all_variables_type as all_variables_type
from .spaces import cotangent_type as cotangent_type
from .spaces import is_differentiable_type as is_differentiable_type
from .spaces import manifold as manifold
from .spaces import tangent_type as tangent_type
from .uses import use as use
from .uses import use_bwd as use_bwd
from .uses import use_fwd as use_fwd
from .variables import KeyPath as KeyPath
from .variables import all_variables as all_variables
from .variables import key_paths as key_paths
from .variables import map_variables as map_variables
from .variables import set_all_variables as set_all_variables
