"""Calls: what a specialised text may call, and what each such call means.

Only what has no effects is called, so that a run can be given up at any point: functions written in Python,
read in turn; NumPy's, SciPy's and Python's own with a rule of the library's that writes into nothing, or
declared to have no derivative; and what is declared pure.
"""

from __future__ import annotations

import time
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ....core.changes import is_pure
from ....core.lookup import find
from ....core.registry import rules_of
from .declined import Declined
from .drawing import DRAWING
from .held import is_standing
from .tables import TABLES

BUILTINS = (
    *(len, range, reversed, min, max, abs, round, isinstance, divmod, sum, any, all, pow, type),
    *(callable, hasattr),
)
_TYPES = (float, complex, int, bool, tuple, list, slice, np.float64)
FLAT = (len, range, reversed, isinstance, callable, hasattr, int, bool, tuple, list, slice, any, all, type)
"""Builtins that give no derivative on."""
OWN = (TABLES, DRAWING, *(TABLES.replace("tables", name) for name in ("vectorizing", "pieces", "ordering")))
"""Modules of this package whose functions are read as if they were a program's own."""
_KNOWN = (np.ndarray, np.float64, float, int, ModuleType, str, type(None))
_RULES = "chainrules.rules."
"""Where functions of this library are as a user's, or as those of NumPy where they have rules."""
_SOLUTIONS, _BOUNDS = "chainrules.core.implicit", "chainrules.core.bounds"
_LIBRARIES = ("numpy", "scipy", "math", "_operator", "_bisect", "statistics")
_ARRAY_METHODS = frozenset(
    [
        *("sum", "mean", "dot", "copy", "reshape", "transpose", "ravel", "flatten", "max", "min", "argmax"),
        *("argmin", "prod", "all", "any", "cumsum", "trace", "astype", "clip", "cumprod", "diagonal", "item"),
        *("repeat", "round", "squeeze", "swapaxes", "take", "conj", "conjugate", "tolist", "std", "var"),
        *("searchsorted", "nonzero", "argsort", "compress"),
    ]
)
_UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer")


def method_of(P: type, name: str) -> Any:
    """The method of arrays or of ufuncs by this name that a text may call; None where there is none."""
    known = _ARRAY_METHODS if P is np.ndarray else _UFUNC_METHODS if P is np.ufunc else ()
    return getattr(P, name) if name in known else None


def is_users(f: Any) -> bool:
    """Whether f is a function written in Python that is read in turn."""
    if type(f) is not FunctionType or rules_of(f) is not None:
        return False
    module = f.__module__ or ""
    foreign = module.partition(".")[0] in (*_LIBRARIES, "chainrules") and module not in OWN
    return not foreign or module.startswith((_RULES, "numpy.polynomial."))


def hold(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Declined unless a call of f has no effect but its value."""
    rest = args[1:] if args and getattr(type(args[0]), getattr(f, "__name__", ""), None) is f else args
    functions = [a for a in (*rest, *kwargs.values()) if callable(a) and not isinstance(a, type)]
    if f is callable:
        return
    if f is hasattr and type(args[0]) not in _KNOWN:
        raise Declined("the attributes of what may find them by a method")
    if "out" in kwargs or (functions and not is_rules(f)):
        raise Declined("a call that writes into an array, or is given a function")
    for g in functions:
        if not (is_told(f) and (is_rules(g) or is_standing(g))):
            hold(g, (), {})
    if f in BUILTINS:
        return
    if any(isinstance(a, dict) for a in (*args, *kwargs.values())) and not is_told(f):
        raise Declined("a dictionary that is given to a function of a library")
    hold_function(f)


def hold_function(f: Any) -> None:
    """Declined unless a call of f, with whatever functions, has no effect but its value and theirs."""
    if is_pure(f) or f in _CLOCKS:
        return
    module = module_of(f)
    if isinstance(f, type):
        if f in _TYPES or (issubclass(f, np.generic) and f is not np.object_):
            return
        if rules_of(f) is None:
            raise Declined(f"the class {f.__name__}")
    owner = getattr(f, "__self__", None)
    if isinstance(f, BuiltinFunctionType) and owner is not None and not isinstance(owner, ModuleType):
        raise Declined(f"the method {f.__name__} of an object")
    known = module.partition(".")[0] in _LIBRARIES or module.startswith((_RULES, _SOLUTIONS, _BOUNDS))
    if not known or ".random" in module or getattr(f, "__name__", "") in _DRAWING:
        raise Declined(f"{called(f)}, of which it is not known that it has no effects")
    rules = rules_of(f)
    if rules is None and module.startswith(("scipy.special", _SOLUTIONS)):
        return
    if rules is None:
        raise Declined(f"{called(f)} has no rule")
    signature = None if rules.split is None else rules.split.signature
    if signature is not None and not _DRAWN_FROM.isdisjoint(signature.parameters):
        raise Declined(f"{f.__name__} draws random numbers: a run more would draw others")
    if rules.non_differentiable is None and not rules.methods["reverse"]:
        raise Declined(f"{called(f)} has no rule")
    every = [m for ms in rules.methods.values() for m in ms]
    if getattr(f, "__name__", "") in _EFFECTS or (every and all(m.mutates for m in every)):
        raise Declined(f"{f.__name__} writes")


def called(f: Any) -> str:
    """What a person calls a callable."""
    return str(getattr(f, "__name__", None) or f"an object of {type(f).__name__}")


def is_rules(f: Any) -> bool:
    """Whether a function is one of those with which the rules of this library are written."""
    return module_of(f).startswith(_RULES)


def is_told(f: Any) -> bool:
    """Whether a function is one by which a rule asks for what has no derivative."""
    return is_rules(f) and is_flat(f)


def is_solution(f: Any) -> bool:
    """Whether a function gives a solution that somebody found its derivative."""
    return module_of(f) == _SOLUTIONS


def is_of_rules(f: Any, name: str) -> bool:
    """Whether a function is the one by this name, under the package of the rules."""
    module, _, own = name.rpartition(".")
    return getattr(f, "__name__", None) == own and module_of(f) == _RULES + module


def is_holding(f: Any) -> bool:
    """Whether a function tells what an object of a library holds."""
    return any(is_of_rules(f, f"scipy.{home}.holding") for home in ("interpolate.objects", "spatial.hulls"))


def is_filling(f: Any) -> bool:
    """Whether a function tells what a sparse array stores."""
    return is_of_rules(f, "scipy.sparse.entries.keeping")


def changes_something(f: Any) -> bool:
    """Whether a function changes what it is given."""
    rules = rules_of(f)
    return rules is not None and any(m.mutates for ms in rules.methods.values() for m in ms)


def module_of(f: Any) -> str:
    """The module of a callable."""
    return getattr(f, "__module__", None) or ("numpy" if type(f) in (np.ufunc, _METHOD) else "")


_CLOCKS = (time.time, time.perf_counter, time.monotonic, time.process_time)
_DRAWING = frozenset({"rvs", "resample"})
_DRAWN_FROM = frozenset({"rng", "random_state", "seed"})
_METHOD = type(np.ndarray.sum)
_EFFECTS = frozenset(
    [
        *("save", "savez", "savetxt", "seterr", "set_printoptions", "setflags", "shuffle", "frompyfunc"),
        *("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul"),
    ]
)
"""What has an effect of which its rules, if it has any, do not tell."""


def is_flat(f: Any) -> bool:
    """Whether a callable has no derivative."""
    if f in FLAT:
        return True
    rules = rules_of(f)
    return rules is not None and rules.non_differentiable is not None


def rule_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The author's reverse rule for a call, None where there is none; Declined where it writes."""
    found = find("reverse", f, args, kwargs)
    if found is None or found.method is None:
        return None
    if found.method.mutates or found.to_array:
        raise Declined(f"{called(f)} with these arguments")
    return found.method.rule


def lists_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[int, ...]:
    """The places of the lists and tuples of which a function makes arrays."""
    if not any(type(a) in (list, tuple) for a in args):
        return ()
    found = find("reverse", f, args, kwargs)
    return () if found is None else tuple(i for i in found.to_array if i < len(args))


def is_built_in(rule: Any) -> bool:
    """Whether a rule is one of this library's own, and no user's in its place."""
    return (getattr(rule, "__module__", None) or "").startswith("chainrules.")


__all__ = ["FLAT", "hold", "is_built_in", "is_flat", "is_users", "lists_of", "method_of", "rule_of"]
