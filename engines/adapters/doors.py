"""The doors to other engines: each imports its engine only when it is called.

What a function becomes there is said in the packages beside this one that bear the engines' names; what they
share stands here.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import MethodType
from typing import Any

from ...core.callables import name_of
from ...core.engine import Engine
from ...core.errors import ChainRulesError


class EngineNotInstalledError(ChainRulesError, ModuleNotFoundError):
    """Another engine is asked for that is not installed."""


class Operator:
    """A function as another engine's own: it goes by the name that it has there, and is pickled with f."""

    __wrapped__: Any

    def __init__(self, door: str, f: Any, operator: Any, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, operator)
        self.__wrapped__ = f
        self._made_by = door, f, options
        self._operator = operator

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._operator(*args, **kwargs)

    def __get__(self, owner: Any, P: Any = None) -> Any:
        return self if owner is None else MethodType(self, owner)

    def __repr__(self) -> str:
        door, f, _ = self._made_by
        return f"<{door} of {name_of(f)}>"

    def __reduce__(self) -> Any:
        return _again, self._made_by


def _again(door: str, f: Any, options: dict[str, Any]) -> Any:
    return globals()[door](f, **options)


def _adapted(door: str, name: str, f: Any, **options: Any) -> Operator:
    operator = getattr(_adapter(door, name), door)(f, **options)
    return Operator(door, f, operator, options)


def to_torch(f: Callable[..., Any], *, engine: Engine | None = None) -> Callable[..., Any]:
    """f as an operator of PyTorch, with its rules as derivatives of any order in both modes.

    What has no rule is differentiated by `engine`, ours by default. Tensors may stand anywhere in the
    positional arguments, in containers and dataclasses too, and come back where f has arrays; f computes
    with NumPy in their memory. Everything else, keyword arguments among it, is constant. `vmap` calls f
    for one sample after another; `torch.compile` keeps f as one opaque operator.

    Raises:  EngineNotInstalledError without PyTorch; UnsupportedArgument for tensors without an array (on
             another device, bfloat16, sparse) and for tensors given by name; else as `vjp` and `jvp`.
    Example: >>> sinc = to_torch(np.sinc)  # doctest: +SKIP
             >>> sinc(torch.ones(3, requires_grad=True)).sum().backward()  # doctest: +SKIP
    """
    return _adapted("to_torch", "torch", f, engine=engine)


def from_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of PyTorch for programs that our engine differentiates, with PyTorch's own derivatives.

    It takes NumPy's arrays and gives them. What moves are the floating-point numbers and arrays in its
    positional arguments, in tuples, lists, dicts and dataclasses too; keyword arguments are constants, and
    so are the parameters of a module: to differentiate them, make them arguments with
    `torch.func.functional_call`. Both modes work, to any order that PyTorch has for f.

    Raises:  EngineNotInstalledError without PyTorch; UnsupportedArgument where the value holds a tensor
             without an array; else what f raises.
    Example: >>> softplus = from_torch(torch.nn.functional.softplus)  # doctest: +SKIP
             >>> grad(lambda x: np.sum(softplus(x)))(np.zeros(2))  # doctest: +SKIP
             array([0.5, 0.5])
    """
    return _adapter("from_torch", "torch").from_torch(f)  # type: ignore[no-any-return]


def to_autograd(f: Callable[..., Any], *, engine: Engine | None = None) -> Callable[..., Any]:
    """f as a primitive of HIPS autograd, with its rules as derivatives of any order in both modes.

    What has no rule is differentiated by `engine`, ours by default. What autograd traces may stand
    anywhere in the positional arguments, in tuples, lists, dicts and dataclasses too; keyword arguments
    are constants.

    Raises:  EngineNotInstalledError without autograd; UnsupportedArgument where autograd traces what is
             given by name; else as `vjp` and `jvp`.
    Example: >>> import autograd
             >>> sinc = to_autograd(np.sinc)
             >>> round(float(autograd.grad(sinc)(0.5)), 6)
             -1.27324
    """
    return _adapted("to_autograd", "autograd", f, engine=engine)


def to_pytensor(
    f: Callable[..., Any], *, value: Any = None, engine: Engine | None = None
) -> Callable[..., Any]:
    """f as an operation of PyTensor, with its rules as its pullback and pushforward, to any order.

    Symbolic variables may stand anywhere in the positional arguments, in tuples, lists, dicts and
    dataclasses too, and come back where f has arrays. Everything else is constant. What has no rule is
    differentiated by `engine`, ours by default.

    Shapes:  dtypes and numbers of dimensions of the value are those that f gave when it was tried on
             made-up arrays; `value=`, an example of f's value, says them beforehand.
    Raises:  EngineNotInstalledError without PyTensor; UnsupportedArgument for variables that are no dense
             tensors and for those given by name; else as `vjp` and `jvp`.
    Example: >>> x = pytensor.tensor.vector("x")  # doctest: +SKIP
             >>> pytensor.grad(to_pytensor(np.sinc)(x).sum(), x)  # doctest: +SKIP
    """
    return _adapted("to_pytensor", "pytensor", f, value=value, engine=engine)


def to_jax(
    f: Callable[..., Any], *, how: str = "auto", value: Any = None, engine: Engine | None = None
) -> Callable[..., Any]:
    """f as a function of JAX, with its rules as derivatives of any order in both modes.

    It works under `jit`, `vmap`, `scan` and every derivative of JAX. Arrays may stand anywhere in the
    arguments, in tuples, lists, dicts and dataclasses; numbers by position move too. Everything else is
    constant. What has no rule is differentiated by `engine`, ours by default.

    `how="traced"` runs the rule itself in jax.numpy, so that it is compiled with the program around it;
    `how="callback"` runs f and its rules on the host, with NumPy. `"auto"` traces where the rule's body
    is one that is known to mean the same there.

    Shapes:  the value has the shapes and dtypes that f gave when it was tried, once for each form of call,
             on the arguments or, inside `jit`, on made-up ones; `value=` says them beforehand, as
             `jax.ShapeDtypeStruct`s in the structure of the value.
    Raises:  EngineNotInstalledError without JAX; UnsupportedArgument for arrays that NumPy does not know and
             for `how="traced"` where a rule cannot be traced; ShapeMismatch where a value is not as it was
             found to be before; else as `vjp` and `jvp`.
    Example: >>> sinc = to_jax(np.sinc)  # doctest: +SKIP
             >>> jax.jit(jax.grad(sinc))(0.5)  # doctest: +SKIP
    """
    return _adapted("to_jax", "jax", f, how=how, value=value, engine=engine)


def from_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of JAX for programs that our engine differentiates, with JAX's own derivatives.

    It takes NumPy's arrays and gives them. What moves are the floating-point numbers and arrays in its
    positional arguments, in tuples, lists, dicts and dataclasses too; keyword arguments are constants.
    Both modes work, to any order that JAX has for f. Without `jax_enable_x64` JAX computes in single
    precision, and so do the derivatives.

    Raises:  EngineNotInstalledError without JAX; UnsupportedArgument where the value holds what is no array;
             ChainRulesError inside a program that JAX has compiled, which would wait for itself.
    Example: >>> softplus = from_jax(jax.nn.softplus)  # doctest: +SKIP
             >>> grad(lambda x: np.sum(softplus(x)))(np.zeros(2))  # doctest: +SKIP
             array([0.5, 0.5])
    """
    return _adapter("from_jax", "jax").from_jax(f)  # type: ignore[no-any-return]


_LIBRARIES = {"autograd": "HIPS autograd", "jax": "JAX", "pytensor": "PyTensor", "torch": "PyTorch"}


def _adapter(door: str, name: str) -> Any:
    """The package beside this one that speaks to another engine; refused where that is not installed."""
    if find_spec(name) is None:
        calling = sys._getframe(2)
        while calling.f_back is not None and calling.f_globals is globals():
            calling = calling.f_back
        others = [library for other, library in _LIBRARIES.items() if find_spec(other) is not None]
        raise EngineNotInstalledError(
            f"{door} needs {_LIBRARIES[name]}, which is not installed",
            where=f"at {calling.f_code.co_filename}:{calling.f_lineno}",
            closest=", ".join([*others, "the built-in engine, as in chainrules.grad"]),
            next=f'pip install "chainrules[{name}]"',
        )
    return import_module(f"..{name}.operator", __package__)
