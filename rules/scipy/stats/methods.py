"""Methods of multivariate distributions, each from a program of the arguments and the parameters.

`programs_of` registers them for a distribution and for its frozen one: which arguments of a method are data
is read from its signature. The tangent of a frozen distribution has the names of the parameters as fields.
The value is always SciPy's own; where the program computes another one, the derivative is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import Covariance
from scipy.stats._covariance import CovViaPrecision

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....tangents import from_fields
from ...taking import taking
from ...written import own, written_out
from .agreement import agreed, as_result

OPTIONS = frozenset(
    [
        "allow_singular",
        "maxpts",
        "abseps",
        "releps",
        "size",
        "random_state",
        "seed",
        "rng",
        "lower_limit",
        "method",
        "tol",
        "diag_tol",
    ]
)
_NAMED, _OPTION = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
Program = Callable[..., Any]


def programs_of(distribution: Any, frozen: type, /, **programs: Program) -> None:
    """Register programs of (*arguments, *parameters) for methods of a distribution and of a frozen one."""
    for name, program in programs.items():
        program_of(distribution, frozen, name, program)
    _declare_making(type(distribution), frozen)


def program_of(distribution: Any, frozen: type, name: str, program: Program) -> None:
    """Register one; that for `rvs` is of (sample, *parameters), and holds what was drawn."""
    method, kept, drawn = getattr(type(distribution), name), getattr(frozen, name), name == "rvs"
    data, given = divided(method)[0], divided(kept)[0]
    _declare(type(distribution), method, program, drawn)
    _declare_frozen(frozen, kept, program, tuple(p for p in data if p not in given), drawn)


def divided(method: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The names of a method's data, and its options with their defaults."""
    every = list(inspect.signature(method).parameters.values())[1:]
    parameters = [p for p in every if p.kind is not inspect.Parameter.VAR_KEYWORD]
    data = tuple(p.name for p in parameters if p.name not in OPTIONS)
    return data, {p.name: p.default for p in parameters if p.name in OPTIONS}


def _defaults(method: Any) -> dict[str, Any]:
    return {p.name: p.default for p in inspect.signature(method).parameters.values()}


def _declare(owner: type, method: Any, program: Program, drawn: bool) -> None:
    data, _ = divided(method)
    defaults, title = _defaults(method), method.__qualname__.replace("_gen", "")
    left = tuple(defaults[name] for name in data)

    def method_written_out(dist, *given, **options):
        y = own(method, dist, *given, **options)
        first = (y,) if drawn else ()
        return alike(y, program(*first, *map(as_array, given), *left[len(given) :]), title)

    _announce(method_written_out, method, owner, program, data)


def _declare_frozen(owner: type, method: Any, program: Program, held: tuple[str, ...], drawn: bool) -> None:
    data, _ = divided(method)
    title, left = method.__qualname__, tuple(_defaults(method)[name] for name in data)

    def frozen_written_out(frozen, *given, **options):
        y = own(method, frozen, *given, **options)
        parameters = [parameter(frozen, name) for name in held]
        first = (y,) if drawn else ()
        return alike(y, program(*first, *map(as_array, given), *left[len(given) :], *parameters), title)

    _announce(frozen_written_out, method, owner, program, data)


def as_array(x: Any) -> Any:
    """An argument as SciPy takes it: lists and tuples as arrays."""
    return np.asarray(x) if isinstance(x, list | tuple) else x


def _announce(written: Any, method: Any, owner: type, program: Program, data: tuple[str, ...]) -> None:
    """Register a program under the signature of the method of a class."""
    defaults = _defaults(method)
    parameters = [inspect.Parameter("self", _NAMED)]
    parameters += [inspect.Parameter(n, _NAMED, default=defaults[n]) for n in data]
    parameters += [inspect.Parameter(n, _OPTION, default=d) for n, d in divided(method)[1].items()]
    written.__annotations__, written.__doc__ = {"self": owner}, program.__doc__
    written_out(method)(
        taking(written, parameters, name=f"{method.__qualname__.replace('.', '_')}_written_out")
    )


def alike(y: Any, found: Any, title: str) -> Any:
    """The value with the program's derivative, in each of its parts."""
    if type(y) is tuple:
        return tuple([agreed(each, part, title) for each, part in zip(y, found, strict=True)])
    return agreed(y, found, title)


def parameter(frozen: Any, name: str) -> Any:
    """A parameter that a frozen distribution holds."""
    held = getattr(frozen, "_shapes", None)
    return getattr(frozen, name) if held is None else held[("mu", "lmbda", "a", "b").index(name)]


@frule(parameter)
def parameter_frule(tangents, frozen: object, *, name):
    """ẏ is the tangent of that name"""
    return parameter(frozen, name), getattr(tangents[0], name)


@rrule(parameter)
def parameter_rrule(frozen: object, *, name):
    """The field of that name is ȳ"""

    def parameter_pullback(y_bar):
        return from_fields(type(frozen), {name: y_bar})

    return parameter(frozen, name), parameter_pullback


def _declare_making(owner: type, frozen: type) -> None:
    """A distribution with its parameters: the tangent holds theirs, in the shapes in which it keeps them."""
    call: Any = owner.__call__
    names, options = divided(call)
    defaults = _defaults(call)

    def making_written_out(dist, *given, **options):
        y = own(call, dist, *given, **options)
        values = [as_held(x, own(parameter, y, name=name)) for x, name in zip(given, names, strict=False)]
        return as_result(y, names[: len(values)], *values)

    parameters = [inspect.Parameter("self", _NAMED)]
    parameters += [inspect.Parameter(n, _NAMED, default=defaults[n]) for n in names]
    parameters += [inspect.Parameter(n, _OPTION, default=d) for n, d in options.items()]
    making_written_out.__annotations__ = {"self": owner}
    written_out(call)(taking(making_written_out, parameters, name=f"{frozen.__name__}_written_out"))


def given_matrix(cov: Any) -> Any:
    """The matrix of an object of the class `Covariance`, or what was given.

    Of a matrix that was given beside its inverse, the inverse counts, as in SciPy's densities.
    """
    if isinstance(cov, CovViaPrecision):
        return np.linalg.inv(cov._precision)
    return cov.covariance if isinstance(cov, Covariance) else cov


def hold_one_matrix(cov: Any) -> None:
    """Refuse to keep a matrix beside its inverse: densities move with the one, distribution functions
    with the other."""
    if isinstance(cov, CovViaPrecision) and cov._cov_matrix is not None:
        raise NotDifferentiableError(
            "a distribution that keeps a covariance beside its inverse",
            next="leave out covariance= of from_precision, or call the methods with the object itself",
        )


non_differentiable(hold_one_matrix, why="checks an argument")


def as_held(x: Any, held: Any) -> Any:
    """A parameter as given in the shape of the one that is held: a number or a diagonal as a matrix."""
    if x is None:
        return held
    hold_one_matrix(x)
    x = given_matrix(x)
    if np.size(x) == np.size(held):
        return np.reshape(x, np.shape(held))
    return x * np.eye(np.shape(held)[0]) if np.ndim(x) == 0 else np.diag(x)


def density_of(log_density: Any) -> Any:
    """The program for a density."""

    def density(*arguments):
        return np.exp(log_density(*arguments))

    density.__doc__ = "The density"
    return density
