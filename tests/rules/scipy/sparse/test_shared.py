"""What SciPy gives back itself or as a view: a change of one is a change of the other, or is refused."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse as sp

import chainrules as cr
from chainrules.testing import check_grads

X = np.array([0.3, -0.8, 1.2, 0.5, 0.9, -0.4])
V, W = np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0])
Z = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0])  # what is stored and zero is eliminated
SAME: dict[str, Any] = {
    "tocsr": lambda a: a.tocsr(),
    "asformat": lambda a: a.asformat("csr"),
    "reshape": lambda a: a.reshape(2, 2),
    "conj": lambda a: a.conj(copy=False),
    "astype": lambda a: a.astype(float, copy=False),
}
COPIES: dict[str, Any] = {
    "copy": lambda a: a.copy(),
    "tocsc": lambda a: a.tocsc(),
    "swapaxes": lambda a: sp.swapaxes(a, 0, 1),
    "conj": lambda a: a.conj(),
    "astype": lambda a: a.astype(float),
    "slice": lambda a: a[:, :],
    "reshape": lambda a: a.reshape(2, 2, copy=True),
    "negative": lambda a: -a,
}
VIEWS: dict[str, Any] = {
    "T": lambda a: a.T,
    "transpose": lambda a: a.transpose(),
    "real": lambda a: a.real,
    "class": lambda a: sp.csr_array(a),
    "tocoo": lambda a: a.tocoo(copy=False),
}


def made(x: Any) -> Any:
    return sp.csr_array((x[:4] * 1.0, np.array([0, 1, 0, 1]), np.array([0, 2, 4])), shape=(2, 2))


def changed_before(of: Any) -> Any:
    def f(x):
        a = made(x)
        b = of(a)
        a.setdiag(x[4:])
        return np.sum((b @ V) ** 2)

    return f


def changed_after(of: Any) -> Any:
    def f(x):
        a = made(x)
        b = of(a)
        b.setdiag(x[4:])
        return np.sum((a @ V) ** 2) + np.sum((b @ V) ** 3)

    return f


@pytest.mark.parametrize("changed", [changed_before, changed_after])
@pytest.mark.parametrize("of", [*SAME.values(), *COPIES.values()], ids=[*SAME, *COPIES])
def test_itself_or_a_copy(of: Any, changed: Any) -> None:
    check_grads(changed(of), X, order=1)


@pytest.mark.parametrize("of", VIEWS.values(), ids=VIEWS)
def test_a_change_of_what_is_viewed_is_refused(of: Any) -> None:
    f = changed_before(of)
    for differentiate in (cr.grad, lambda f: lambda x: cr.jvp(f, (x,), (x,))):
        with pytest.raises(cr.AliasedMutationError, match="shares memory"):
            differentiate(f)(X)


@pytest.mark.parametrize(
    "of", [lambda a: a[:, :], lambda a: a.conj(), lambda a: a.astype(float)], ids=["slice", "conj", "astype"]
)
def test_a_pattern_that_shrinks_in_place_later(of: Any) -> None:
    def f(x):
        a = sp.csr_array((x * Z, np.array([0, 1, 2, 0, 1, 2]), np.array([0, 3, 4, 6])), shape=(3, 3))
        b = of(a)
        a.eliminate_zeros()
        return np.sum((b @ W) ** 2) + np.sum((a @ W) ** 3)

    check_grads(f, X, order=1)
