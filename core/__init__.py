"""What a rule is: registries, the contract, look-up, errors, and the protocol of an engine."""

if __name__ != "chainrules.core":
    raise ImportError("core is a part of chainrules: import chainrules.core")

from . import implicit as implicit
from . import linting as linting  # debug mode asks it at registration
from .apply import apply_frule, apply_rrule, forward, reverse
from .broadcasting import unbroadcast
from .changes import pure
from .debug import debug_mode
from .decorators import forward_only, frule, non_differentiable, opt_out, reverse_only, rrule
from .engine import Engine, call, default_engine, engine_or_default, name_engine, set_default_engine
from .errors import (
    AliasedMutationError,
    AmbiguousRuleError,
    ChainRulesError,
    HigherOrderError,
    MismatchedPrimalError,
    NonScalarOutputError,
    NoRuleError,
    NotDifferentiableError,
    RegistrationError,
    RuleContractError,
    ShapeMismatch,
    UnsupportedArgument,
    UnsupportedSyntaxError,
    VerificationError,
)
from .installed import follow
from .profiling import profile
from .report import rules_for
from .scalar import scalar_rule
from .types import Array, Real
from .watched import NumericStabilityWarning

__all__ = [
    "AliasedMutationError",
    "AmbiguousRuleError",
    "Array",
    "ChainRulesError",
    "Engine",
    "HigherOrderError",
    "MismatchedPrimalError",
    "NoRuleError",
    "NonScalarOutputError",
    "NotDifferentiableError",
    "NumericStabilityWarning",
    "Real",
    "RegistrationError",
    "RuleContractError",
    "ShapeMismatch",
    "UnsupportedArgument",
    "UnsupportedSyntaxError",
    "VerificationError",
    "apply_frule",
    "apply_rrule",
    "call",
    "debug_mode",
    "default_engine",
    "engine_or_default",
    "follow",
    "forward",
    "forward_only",
    "frule",
    "implicit",
    "name_engine",
    "non_differentiable",
    "opt_out",
    "profile",
    "pure",
    "reverse",
    "reverse_only",
    "rrule",
    "rules_for",
    "scalar_rule",
    "set_default_engine",
    "unbroadcast",
]
