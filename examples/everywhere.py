"""A library author's story: one function in C, one rule, and every engine trains through it.

The library has SciPy's compiled Voigt profile, the line shape of spectroscopy, of which no engine
has a derivative in all its arguments. Its rule depends on chainrules alone. The width of a line is then
fitted to data by gradient descent in our engine and, where they are installed, in PyTorch, JAX, HIPS
autograd and PyTensor: all take the same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import special

import chainrules as cr

# the library: a function whose body is compiled, and its rule


def voigt(x: Any, sigma: Any, gamma: Any) -> Any:
    """The Voigt profile at x, of Gaussian width sigma and Lorentzian width gamma."""
    return special.voigt_profile(x, sigma, gamma)


def voigt_partials(y: Any, x: Any, sigma: Any, gamma: Any) -> tuple[Any, Any, Any]:
    """With z = (x + iγ) / (σ√2) and the Faddeeva function w: y = Re w / (σ√(2π)), w′ = −2zw + 2i/√π."""
    root = sigma * np.sqrt(2.0)
    z = (x + 1j * gamma) / root
    scale = 1.0 / (sigma * np.sqrt(2 * np.pi))
    slope = (-2 * z * special.wofz(z) + 2j / np.sqrt(np.pi)) * scale
    return np.real(slope) / root, -y / sigma - np.real(slope * z) / sigma, -np.imag(slope) / root


cr.scalar_rule(voigt, voigt_partials, signature="x, sigma, gamma")

# the user: a loss, and its gradient in each engine

X = np.linspace(-3.0, 3.0, 41)
DATA = voigt(X, 0.8, 0.3)
START, STEPS, RATE = np.array([1.2, 0.6]), 60, 4.0


def in_chainrules() -> Callable[[Any], Any]:
    """Our engine, over plain NumPy."""
    return cr.grad(lambda w: np.sum((voigt(X, w[0], w[1]) - DATA) ** 2))


def in_torch() -> Callable[[Any], Any]:
    """A module of PyTorch."""
    import torch

    profile, x, data = cr.to_torch(voigt), torch.tensor(X), torch.tensor(DATA)

    class Line(torch.nn.Module):
        def __init__(self, w: Any) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(torch.tensor(w))

        def forward(self) -> Any:
            return ((profile(x, self.w[0], self.w[1]) - data) ** 2).sum()

    def gradient(w: Any) -> Any:
        line = Line(w)
        line().backward()
        return line.w.grad.numpy()

    return gradient


def in_jax() -> Callable[[Any], Any]:
    """JAX, compiled, over a batch of points."""
    import jax

    jax.config.update("jax_enable_x64", True)
    profile = jax.vmap(cr.to_jax(voigt), (0, None, None))
    return jax.jit(jax.grad(lambda w: ((profile(X, w[0], w[1]) - DATA) ** 2).sum()))  # type: ignore[no-any-return]


def in_autograd() -> Callable[[Any], Any]:
    """HIPS autograd."""
    import autograd
    import autograd.numpy as anp

    profile = cr.to_autograd(voigt)
    return autograd.grad(lambda w: anp.sum((profile(X, w[0], w[1]) - DATA) ** 2))  # type: ignore[no-any-return]


def in_pytensor() -> Callable[[Any], Any]:
    """A graph of PyTensor."""
    import pytensor
    import pytensor.tensor as pt

    w = pt.dvector("w")
    loss = ((cr.to_pytensor(voigt)(pt.as_tensor(X), w[0], w[1]) - DATA) ** 2).sum()
    return pytensor.function([w], pytensor.grad(loss, w), mode="FAST_COMPILE")  # type: ignore[no-any-return]


ENGINES = {
    "numpy": in_chainrules,
    "torch": in_torch,
    "jax": in_jax,
    "autograd": in_autograd,
    "pytensor": in_pytensor,
}


def fit(gradient: Callable[[Any], Any]) -> Any:
    """The widths after some steps downhill."""
    w = START
    for _ in range(STEPS):
        w = w - RATE * np.asarray(gradient(w)) / len(X)
    return w


def main() -> dict[str, Any]:
    """Fit in every engine that is installed."""
    found = {name: fit(make()) for name, make in ENGINES.items() if find_spec(name) is not None}
    for name, w in found.items():
        print(f"{'chainrules' if name == 'numpy' else name:12} sigma {w[0]:.6f}   gamma {w[1]:.6f}")
    return found


if __name__ == "__main__":
    main()
