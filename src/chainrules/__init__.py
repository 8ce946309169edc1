"""Write a derivative rule once; every Python engine of automatic differentiation can use it."""

from . import core as core
from . import engines as engines
from . import rules as rules
from . import testing as testing
from . import types as types
from .core import AliasedMutationError as AliasedMutationError
from .core import AmbiguousRuleError as AmbiguousRuleError
from .core import Array as Array
from .core import HigherOrderError as HigherOrderError
from .core import NonScalarOutputError as NonScalarOutputError
from .core import NoRuleError as NoRuleError
from .core import NotDifferentiableError as NotDifferentiableError
from .core import NumericStabilityWarning as NumericStabilityWarning
from .core import RegistrationError as RegistrationError
from .core import RuleContractError as RuleContractError
from .core import UnsupportedArgument as UnsupportedArgument
from .core import UnsupportedSyntaxError as UnsupportedSyntaxError
from .core import VerificationError as VerificationError
from .core import apply_frule as apply_frule
from .core import apply_rrule as apply_rrule
from .core import call as call
from .core import debug_mode as debug_mode
from .core import follow as follow
from .core import forward_only as forward_only
from .core import frule as frule
from .core import implicit as implicit
from .core import non_differentiable as non_differentiable
from .core import opt_out as opt_out
from .core import profile as profile
from .core import pure as pure
from .core import reverse_only as reverse_only
from .core import rrule as rrule
from .core import rules_for as rules_for
from .core import scalar_rule as scalar_rule
from .engines import ZeroDerivativeWarning as ZeroDerivativeWarning
from .engines import checkpoint as checkpoint
from .engines import derivative as derivative
from .engines import derivative_source as derivative_source
from .engines import elementwise_grad as elementwise_grad
from .engines import explain as explain
from .engines import from_jax as from_jax
from .engines import from_torch as from_torch
from .engines import grad as grad
from .engines import hessian as hessian
from .engines import hvp as hvp
from .engines import jacfwd as jacfwd
from .engines import jacobian as jacobian
from .engines import jacrev as jacrev
from .engines import jvp as jvp
from .engines import linear_transpose as linear_transpose
from .engines import linearize as linearize
from .engines import minimize as minimize
from .engines import stop_gradient as stop_gradient
from .engines import to_autograd as to_autograd
from .engines import to_jax as to_jax
from .engines import to_pytensor as to_pytensor
from .engines import to_torch as to_torch
from .engines import value_and_derivative as value_and_derivative
from .engines import value_and_grad as value_and_grad
from .engines import value_and_jacobian as value_and_jacobian
from .engines import verify as verify
from .engines import vjp as vjp
from .engines import vmap as vmap
from .engines import with_gradient as with_gradient
from .engines.source import NoSourceWarning as NoSourceWarning
from .tangents import ChainRulesError as ChainRulesError
from .tangents import Composite as Composite
from .tangents import InplaceableThunk as InplaceableThunk
from .tangents import MismatchedPrimalError as MismatchedPrimalError
from .tangents import NoTangent as NoTangent
from .tangents import NotImplementedTangent as NotImplementedTangent
from .tangents import ShapeMismatch as ShapeMismatch
from .tangents import Thunk as Thunk
from .tangents import Zero as Zero
from .tangents import accumulate as accumulate
from .tangents import add as add
from .tangents import canonicalize as canonicalize
from .tangents import construct as construct
from .tangents import convert_fields as convert_fields
from .tangents import difference as difference
from .tangents import inner as inner
from .tangents import linear_combination as linear_combination
from .tangents import materialize as materialize
from .tangents import move as move
from .tangents import natural_tangent as natural_tangent
from .tangents import norm as norm
from .tangents import project_to as project_to
from .tangents import ravel as ravel
from .tangents import scale as scale
from .tangents import sparse_policy as sparse_policy
from .tangents import to_tangent as to_tangent
from .tangents import unthunk as unthunk
from .tangents import zero_tangent as zero_tangent
from .types import differentiable_type as differentiable_type
from .types import no_derivative as no_derivative

__version__ = "0.1.0"

core.set_default_engine(engines.source.engine)

__all__ = [
    "AliasedMutationError",
    "AmbiguousRuleError",
    "Array",
    "ChainRulesError",
    "Composite",
    "HigherOrderError",
    "InplaceableThunk",
    "MismatchedPrimalError",
    "NoRuleError",
    "NoSourceWarning",
    "NoTangent",
    "NonScalarOutputError",
    "NotDifferentiableError",
    "NotImplementedTangent",
    "NumericStabilityWarning",
    "RegistrationError",
    "RuleContractError",
    "ShapeMismatch",
    "Thunk",
    "UnsupportedArgument",
    "UnsupportedSyntaxError",
    "VerificationError",
    "Zero",
    "ZeroDerivativeWarning",
    "__version__",
    "accumulate",
    "add",
    "apply_frule",
    "apply_rrule",
    "call",
    "canonicalize",
    "checkpoint",
    "construct",
    "convert_fields",
    "core",
    "debug_mode",
    "derivative",
    "derivative_source",
    "difference",
    "differentiable_type",
    "elementwise_grad",
    "engines",
    "explain",
    "follow",
    "forward_only",
    "from_jax",
    "from_torch",
    "frule",
    "grad",
    "hessian",
    "hvp",
    "implicit",
    "inner",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linear_combination",
    "linear_transpose",
    "linearize",
    "materialize",
    "minimize",
    "move",
    "natural_tangent",
    "no_derivative",
    "non_differentiable",
    "norm",
    "opt_out",
    "profile",
    "project_to",
    "pure",
    "ravel",
    "reverse_only",
    "rrule",
    "rules",
    "rules_for",
    "scalar_rule",
    "scale",
    "sparse_policy",
    "stop_gradient",
    "testing",
    "to_autograd",
    "to_jax",
    "to_pytensor",
    "to_tangent",
    "to_torch",
    "types",
    "unthunk",
    "value_and_derivative",
    "value_and_grad",
    "value_and_jacobian",
    "verify",
    "vjp",
    "vmap",
    "with_gradient",
    "zero_tangent",
]
