"""Fourier transforms beside those of JAX and PyTorch, in both parities of the length."""

from typing import Any

import pytest
from scipy import fft
from tests.rules.cases import complex_normal, normal
from tests.rules.elsewhere import agrees_with_jax, agrees_with_torch, jax, torch

OF_REAL = ("rfft", "ihfft", "rfft2", "rfftn")
TO_REAL = ("irfft", "hfft", "irfft2", "irfftn")
OF_COMPLEX = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", *TO_REAL)
BEYOND_JAX = ("hfft2", "hfftn")


def given(name: str, n: int) -> Any:
    return normal(3, n) if name in OF_REAL else complex_normal(3, n)


@pytest.mark.parametrize(("n", "norm"), [(4, "backward"), (5, "ortho"), (4, "forward")])
@pytest.mark.parametrize("name", [*OF_REAL, *OF_COMPLEX])
def test_jax_agrees(name: str, n: int, norm: str) -> None:
    native = getattr(jax.numpy.fft, name)
    agrees_with_jax(
        lambda x: getattr(fft, name)(x, norm=norm), lambda x: native(x, norm=norm), given(name, n)
    )


@pytest.mark.parametrize(("n", "norm"), [(4, "backward"), (5, "ortho"), (4, "forward")])
@pytest.mark.parametrize("name", [*OF_REAL, *OF_COMPLEX, *BEYOND_JAX])
def test_torch_agrees(name: str, n: int, norm: str) -> None:
    native = getattr(torch.fft, name)
    agrees_with_torch(
        lambda x: getattr(fft, name)(x, norm=norm), lambda x: native(x, norm=norm), given(name, n)
    )


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shifts(name: str) -> None:
    agrees_with_jax(getattr(fft, name), getattr(jax.numpy.fft, name), normal(3, 4))
    agrees_with_torch(getattr(fft, name), getattr(torch.fft, name), normal(3, 4))


@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize("name", ["dct", "idct", "dctn", "idctn"])
def test_cosine_transforms(name: str, norm: Any) -> None:
    native = getattr(jax.scipy.fft, name)
    agrees_with_jax(lambda x: getattr(fft, name)(x, norm=norm), lambda x: native(x, norm=norm), normal(3, 5))
