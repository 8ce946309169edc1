"""Linear systems as objects: `TransferFunction`, `ZerosPolesGain`, `StateSpace`, also made by `lti`, `dlti`.

An object holds its polynomials, its roots or its matrices, and its sampling time if time is discrete: these
are its fields. Each method is the function of the same kind, of what the object holds as a tuple. Zeros and
poles of a system that does not hold them are roots, refused where they coincide.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from scipy import signal
from scipy.signal import StateSpace, TransferFunction, ZerosPolesGain, dlti, lti
from scipy.signal._ltisys import LinearTimeInvariant

from ....core import Array, UnsupportedArgument, non_differentiable
from ....tangents.structure import shown_as
from ...written import own, written_out
from ..interpolate.objects import holding, show
from .conversions import normalize

_DATA = Array | list | tuple
HOLDS: dict[type, tuple[str, ...]] = {
    TransferFunction: ("num", "den"),
    ZerosPolesGain: ("zeros", "poles", "gain"),
    StateSpace: ("A", "B", "C", "D"),
}
for P, names in HOLDS.items():
    concrete: type
    for concrete in P.__subclasses__():
        shown = (*names, "dt") if issubclass(concrete, dlti) else names
        shown_as(concrete, **{f"_{name}": name for name in shown})
    for name in names:
        show(P, name, home=__name__)
show(dlti, "dt", home=__name__)


def is_discrete(system: Any) -> bool:
    """Whether an object is a system in discrete time."""
    return isinstance(system, dlti)


def form_of(system: Any) -> type:
    """Which of the three forms an object has."""
    return next(P for P in HOLDS if isinstance(system, P))


def made(P: Any, arrays: Any, dt: Any) -> Any:
    """The object that SciPy makes."""
    return P(*arrays) if dt is None else P(*arrays, dt=dt)


def refuse_other_time(name: str, system: Any, P: type) -> None:
    """Refuse an object whose time is not that of P."""
    if isinstance(system, LinearTimeInvariant) and not isinstance(system, P):
        raise UnsupportedArgument(
            f"scipy.signal.{name}", "system", type(system).__name__, supported=[P.__name__]
        )


non_differentiable(is_discrete, form_of, refuse_other_time, why="looks at types alone")


def arrays_of(system: Any) -> Any:
    """What a system holds."""
    if isinstance(system, TransferFunction):
        return system.num, system.den
    if isinstance(system, ZerosPolesGain):
        return system.zeros, system.poles, system.gain
    return system.A, system.B, system.C, system.D


def in_continuous_time(name: str, system: Any) -> Any:
    """A system as a tuple of arrays."""
    refuse_other_time(name, system, lti)
    return arrays_of(system) if isinstance(system, LinearTimeInvariant) else system


def in_discrete_time(name: str, system: Any) -> Any:
    """A system as a tuple of arrays, with the sampling time behind."""
    refuse_other_time(name, system, dlti)
    return (*arrays_of(system), system.dt) if isinstance(system, LinearTimeInvariant) else system


def holds(P: type, arrays: tuple[Any, ...], dt: Any = None) -> Any:
    """An object of one of the three forms, with the derivatives of what it holds."""
    system = own(made, P, arrays, dt)
    if P is TransferFunction:
        arrays = normalize(*arrays)
    elif P is StateSpace:
        arrays = signal.abcd_normalize(*arrays)
    values = [
        np.atleast_1d(np.asarray(x)) if name != "gain" else x
        for name, x in zip(HOLDS[P], arrays, strict=True)
    ]
    if dt is None:
        return holding(system, HOLDS[P], *values)
    return holding(system, (*HOLDS[P], "dt"), *values, dt)


def converted(system: Any, P: type) -> Any:
    """A system in one of the three forms; a copy of it if it has that form."""
    arrays = arrays_of(system)
    if form_of(system) is not P:
        return holds(P, CONVERSIONS[form_of(system), P](*arrays), time_of(system))
    copied = own(copy.deepcopy, system)
    if is_discrete(system):
        return holding(copied, (*HOLDS[P], "dt"), *arrays, system.dt)
    return holding(copied, HOLDS[P], *arrays)


def time_of(system: Any) -> Any:
    """The sampling time; None where time is continuous."""
    return system.dt if is_discrete(system) else None


CONVERSIONS: dict[tuple[type, type], Any] = {
    (TransferFunction, ZerosPolesGain): signal.tf2zpk,
    (TransferFunction, StateSpace): signal.tf2ss,
    (ZerosPolesGain, TransferFunction): signal.zpk2tf,
    (ZerosPolesGain, StateSpace): signal.zpk2ss,
    (StateSpace, TransferFunction): signal.ss2tf,
    (StateSpace, ZerosPolesGain): signal.ss2zpk,
}


@written_out(TransferFunction, signature="num, den=None, *, dt=None")
def transfer_function(num: _DATA | LinearTimeInvariant, den: object = None, dt: object = None):
    """The object holds both polynomials, divided by the leading coefficient of the second"""
    return converted(num, TransferFunction) if den is None else holds(TransferFunction, (num, den), dt)


@written_out(ZerosPolesGain, signature="zeros, poles=None, gain=None, *, dt=None")
def zeros_poles_gain(
    zeros: _DATA | LinearTimeInvariant, poles: object = None, gain: object = None, dt: object = None
):
    """The object holds zeros, poles and gain"""
    if poles is None:
        return converted(zeros, ZerosPolesGain)
    return holds(ZerosPolesGain, (zeros, poles, gain), dt)


@written_out(StateSpace, signature="A, B=None, C=None, D=None, *, dt=None")
def state_space(
    A: _DATA | LinearTimeInvariant | None,
    B: object = None,
    C: object = None,
    D: object = None,
    dt: object = None,
):
    """The object holds the four matrices"""
    return converted(A, StateSpace) if B is None else holds(StateSpace, (A, B, C, D), dt)


def of_length(first: Any, second: Any, third: Any, fourth: Any, dt: Any) -> Any:
    """An object of the form that has so many arrays."""
    if fourth is not None:
        return holds(StateSpace, (first, second, third, fourth), dt)
    if third is not None:
        return holds(ZerosPolesGain, (first, second, third), dt)
    return holds(TransferFunction, (first, second), dt)


@written_out(lti, signature="first, second, third=None, fourth=None")
def continuous(first: _DATA | None, second: object, third: object = None, fourth: object = None):
    """The object of two polynomials, of zeros, poles and gain, or of four matrices"""
    return of_length(first, second, third, fourth, None)


@written_out(dlti, signature="first, second, third=None, fourth=None, *, dt=True")
def discrete(
    first: _DATA | None, second: object, third: object = None, fourth: object = None, dt: object = True
):
    """The object of two polynomials, of zeros, poles and gain, or of four matrices, with the sampling time"""
    return of_length(first, second, third, fourth, dt)


@written_out(TransferFunction.to_tf, ZerosPolesGain.to_tf)
def to_tf(self: LinearTimeInvariant):
    """The polynomials"""
    return converted(self, TransferFunction)


@written_out(TransferFunction.to_zpk, ZerosPolesGain.to_zpk)
def to_zpk(self: LinearTimeInvariant):
    """The roots"""
    return converted(self, ZerosPolesGain)


@written_out(TransferFunction.to_ss, ZerosPolesGain.to_ss, StateSpace.to_ss)
def to_ss(self: LinearTimeInvariant):
    """The controller's canonical form; a copy of matrices"""
    return converted(self, StateSpace)


@written_out(StateSpace.to_tf, signature="self, *, input=0")
def state_space_to_tf(self: StateSpace, *, input=0):
    """The polynomials"""
    return holds(TransferFunction, signal.ss2tf(*arrays_of(self), input), time_of(self))


@written_out(StateSpace.to_zpk, signature="self, *, input=0")
def state_space_to_zpk(self: StateSpace, *, input=0):
    """The roots"""
    return holds(ZerosPolesGain, signal.ss2zpk(*arrays_of(self), input), time_of(self))


@written_out(*(P.to_discrete for P in lti.__subclasses__()))
def to_discrete(self: lti, dt: object, alpha: object = None, *, method="zoh"):
    """The system in steps of δ"""
    return sampled(self, dt, method, alpha)


def sampled(system: Any, dt: Any, method: str, alpha: Any) -> Any:
    """A continuous system in discrete time, in the same form."""
    found = signal.cont2discrete(arrays_of(system), dt, method, alpha)
    return holds(form_of(system), found[:-1], dt)
