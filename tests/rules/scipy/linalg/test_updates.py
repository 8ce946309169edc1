"""Updated QR factors, against those of the new matrix."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule, constrained

Q, R = linalg.qr(normal(3, 3))
TURNED, UPPER = constrained(Q, "unitary"), constrained(R, "upper triangular")
TALL = constrained(R[:, :2], "upper triangular")
CASES = [
    case(linalg.qr_delete, TURNED, UPPER, k=0),
    case(linalg.qr_insert, TURNED, TALL, normal(3), k=1, which="col"),
    case(linalg.qr_update, TURNED, UPPER, normal(3), normal(3, seed=2)),
    case(linalg.qr_update, TURNED, UPPER, normal(3, 2), normal(3, 2, seed=2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("which", ["row", "col"])
@pytest.mark.parametrize("mode", ["full", "economic"])
def test_programs(which: str, mode: str) -> None:
    def smaller(a: Any) -> Any:
        q, r = linalg.qr_delete(*linalg.qr(a, mode=mode), 1, which=which)
        return q[:, : r.shape[1]], r

    def larger(a: Any, u: Any) -> Any:
        q, r = linalg.qr_insert(*linalg.qr(a, mode=mode), u, 1, which=which)
        return q[:, : r.shape[1]], r

    modes = ("rev",) if mode == "full" else ("fwd", "rev")
    check_grads(smaller, normal(4, 2), order=1, modes=modes)
    check_grads(larger, normal(4, 2), normal(2 if which == "row" else 4), order=1, modes=modes)


def test_complex_factors_are_refused() -> None:
    q, r = linalg.qr(complex_normal(2, 2))
    with pytest.raises(cr.UnsupportedArgument, match="real factors"):
        cr.grad(lambda r: np.sum(np.abs(linalg.qr_update(q, r, normal(2), normal(2))[1])))(r)
