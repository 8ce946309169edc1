"""The engines that are compared: for each, how a case becomes a function of no arguments that is timed.

What is timed is value and gradient of the parameters. The program is the same everywhere: each engine
is given its bytecode with the name `np` standing for that engine's own namespace. Arrays are made the
engine's before the clock starts. Engines that are not installed are left out, and the report says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from benchmarks.case import Case

import chainrules as cr

Timed = Callable[[], tuple[Any, tuple[Any, ...]]]


class Prepared(NamedTuple):
    """What is timed, and the seconds that preparing it took where an engine compiles."""

    run: Timed
    compiling: float | None = None


def in_namespace(program: Callable[..., Any], namespace: Any) -> Callable[..., Any]:
    """The program, and the functions and classes of its module, with `np` standing for another namespace."""
    assert isinstance(program, FunctionType)
    names = {**program.__globals__, "np": namespace}
    for name, found in program.__globals__.items():
        if getattr(found, "__module__", None) == program.__module__:
            names[name] = _rebound(found, names)
    return FunctionType(program.__code__, names, program.__name__)


def _rebound(found: Any, names: dict[str, Any]) -> Any:
    """A function or class that finds these names."""
    if isinstance(found, FunctionType):
        return FunctionType(found.__code__, names, found.__name__, found.__defaults__)
    if type(found) is type:
        own = {k: _rebound(v, names) for k, v in vars(found).items() if k not in ("__dict__", "__weakref__")}
        return type(found.__name__, found.__bases__, own)
    return found


def chainrules(case: Case) -> Prepared:
    """This project: the program as it is."""
    differentiated = cr.value_and_grad(case.program, case.argnums)
    x = (*case.parameters, *case.data)
    return Prepared(lambda: differentiated(*x))


def autograd(case: Case) -> Prepared:
    """HIPS autograd, which traces."""
    import autograd
    import autograd.numpy as anp

    differentiated = autograd.value_and_grad(in_namespace(case.program, anp), case.argnums)
    x = (*case.parameters, *case.data)
    return Prepared(lambda: differentiated(*x))


def torch(case: Case) -> Prepared:
    """PyTorch, eager, on one thread."""
    import torch

    torch.set_num_threads(1)
    namespace = SimpleNamespace(**{**vars(torch), "max": torch.amax})  # its own max answers with indices too
    program = in_namespace(case.program, namespace)
    parameters = [torch.tensor(p, requires_grad=True) for p in case.parameters]
    data = [torch.tensor(d) for d in case.data]

    def run() -> tuple[Any, tuple[Any, ...]]:
        y = program(*parameters, *data)
        gradients = torch.autograd.grad(y, parameters)
        return y.detach(), gradients

    return Prepared(run)


def jax(case: Case) -> Prepared:
    """JAX, compiled, in the double precision that the runner's environment asks of it.

    The seconds of tracing and compiling are reported apart.
    """
    import jax
    import jax.numpy as jnp

    x = [jnp.asarray(p) for p in (*case.parameters, *case.data)]
    start = time.perf_counter()
    compiled = jax.jit(jax.value_and_grad(in_namespace(case.program, jnp), case.argnums)).lower(*x).compile()
    seconds = time.perf_counter() - start

    def run() -> tuple[Any, tuple[Any, ...]]:
        y, gradients = compiled(*x)
        for gradient in gradients:
            gradient.block_until_ready()
        return y, gradients

    return Prepared(run, seconds)


ENGINES: dict[str, Callable[[Case], Prepared]] = {
    "chainrules": chainrules,
    "autograd": autograd,
    "torch": torch,
    "jax": jax,
}

TITLES = {"chainrules": "chainrules", "autograd": "HIPS autograd", "torch": "PyTorch eager", "jax": "JAX jit"}


def installed(names: list[str]) -> list[str]:
    """Those of the engines that can be imported."""
    return [name for name in names if find_spec(name) is not None]


def versions(names: list[str]) -> str:
    """The engines and NumPy with their versions."""
    return ", ".join(f"{name} {version(name)}" for name in dict.fromkeys(["numpy", *names]))


def as_numpy(result: tuple[Any, tuple[Any, ...]]) -> tuple[Any, tuple[Any, ...]]:
    """A value and gradients of any engine as NumPy's."""
    value, gradients = result
    return np.asarray(value), tuple(np.asarray(g) for g in gradients)
