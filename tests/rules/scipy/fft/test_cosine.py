"""Cosine and sine transforms: every type, norm, orthogonality and length; transposes by inner products."""

import itertools

import numpy as np
import pytest
from scipy import fft
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X = normal(3, 5)
LINES = [fft.dct, fft.idct, fft.dst, fft.idst]
PLANES = [fft.dctn, fft.idctn, fft.dstn, fft.idstn]
CASES = [
    *(case(f, X, type=kind) for f in (*LINES, *PLANES) for kind in (1, 2, 3, 4)),
    case(fft.dct, X, type=3, n=3, axis=0),
    case(fft.idct, X, type=2, n=8),
    case(fft.dst, complex_normal(3, 4), type=2),
    case(fft.dctn, normal(2, 3, 4), s=(4, 2), axes=(0, 2)),
    case(fft.idstn, X, type=3, norm="ortho", axes=1),
    *(case(f, X.astype(np.float32)) for f in (*LINES, *PLANES)),
]
WAYS = list(
    itertools.product(LINES, (1, 2, 3, 4), ("backward", "ortho", "forward"), (None, True, False), (4, 5))
)


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_every_way_has_its_transpose():
    for f, kind, norm, orthogonal, n in WAYS:
        x, w = normal(n), normal(n, seed=1)
        y, pullback = cr.vjp(
            lambda x, f=f, kind=kind, norm=norm, orthogonal=orthogonal: f(
                x, kind, norm=norm, orthogonalize=orthogonal
            ),
            x,
        )
        np.testing.assert_allclose(w @ y, pullback(w)[0] @ x, rtol=1e-12, err_msg=str((f, kind, norm)))


@pytest.mark.parametrize("f", [fft.dct, fft.idstn])
def test_second_order(f):
    check_grads(lambda x: f(x) ** 3, normal(2, 3))
