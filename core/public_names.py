"""Public names: what users know the functions of an installed package by.

`scipy.linalg._decomp_cholesky` is where `scipy.linalg.cho_factor` is written, `OpsMixin.__rmul__` what runs
for `2 * frame["x"]`. Messages name what was called, as it is imported.
"""

from __future__ import annotations

import gc
import inspect
import sys
from types import FrameType, FunctionType
from typing import Any

from .callables import name_of
from .installed import is_in_packages, is_installed


def public_name(f: Any, args: tuple[Any, ...] = ()) -> str:
    """The dotted name by which a package offers a callable: `scipy.linalg.cho_factor`, `pandas.Series.sum`.

    args: what it is called with, which says of which class a method is.
    """
    if not isinstance(f, FunctionType):
        return _offered(f, getattr(f, "__name__", "")) or name_of(f)
    package = str(f.__globals__.get("__name__", "")).partition(".")[0]
    if package != (f.__module__ or "").partition(".")[0] and is_installed(f):  # a wrapper, by functools.wraps
        return f"{f.__globals__['__name__']}.{f.__code__.co_qualname}, around {name_of(f)},"
    if "." not in f.__qualname__:
        return _offered(f, f.__name__) or name_of(f)
    owner = _owner(f, args)
    return (
        name_of(f) if owner is None else f"{_offered(owner, owner.__name__) or name_of(owner)}.{f.__name__}"
    )


def _owner(f: FunctionType, args: tuple[Any, ...]) -> type | None:
    """The class of which f is a method: its object's, if it is the package's, else where it is written."""
    own = args[0] if args and isinstance(args[0], type) else type(args[0]) if args else object
    root = (f.__module__ or "").partition(".")[0]
    for P in own.__mro__:
        member = inspect.getattr_static(own, f.__name__, None)
        found = (member, getattr(member, "__func__", None), getattr(member, "fget", None))
        if f in found and P.__module__.partition(".")[0] == root:
            return P
    written = f.__globals__.get(f.__qualname__.partition(".")[0])
    return written if isinstance(written, type) and f.__qualname__.count(".") == 1 else None


def _offered(f: Any, name: str) -> str:
    """The shortest public name of an object among the modules of its package; empty where none has it."""
    root = str(getattr(f, "__module__", None) or "").partition(".")[0]
    found = [
        m
        for m, module in list(sys.modules.items())
        if m.partition(".")[0] == root and not any(part.startswith("_") for part in m.split("."))
        if getattr(module, "__dict__", {}).get(name) is f
    ]
    return "" if not found else f"{min(found, key=lambda m: (m.count('.'), len(m), m))}.{name}"


def coverage_of(name: str) -> str:
    """The command that lists the rules of the module that a dotted name is in; empty where there is none."""
    while name := name.rpartition(".")[0]:
        if name in sys.modules:
            return f"chainrules coverage {name}" if is_in_packages(name) else ""
    return ""


def function_of(frame: FrameType) -> FunctionType | None:
    """The function that runs in a frame; of those with one code that which captured what the frame has."""
    inside = frame.f_locals
    for f in gc.get_referrers(frame.f_code):
        if type(f) is FunctionType and f.__code__ is frame.f_code:
            cells = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
            if all(n in inside and c.cell_contents is inside[n] for n, c in cells):
                return f
    return None
