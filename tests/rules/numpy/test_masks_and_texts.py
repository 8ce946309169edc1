"""Masked arrays, and numbers that become texts: refused by name in both modes, never a silent number."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr

X = np.array([1.0, 2.0, 3.0])
M = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
TEXTS = np.array(["1", "2", "3"])


def stored(x: Any) -> Any:
    y = np.zeros(3, "U30")
    y[:] = x
    return np.sum(y.astype(float))


MASKED: dict[str, Callable[[Any], Any]] = {
    "constant": lambda x: np.sum(x * M),
    "beside": lambda x: np.sum(x + (M + 1.0)),
    "product": lambda x: np.dot(M, x),
    "weights": lambda x: np.average(x, weights=M),
    "method": lambda x: x.dot(M),
    "quotient": lambda x: np.mean(x / M),
    "made": lambda x: np.sum(np.ma.array(x, mask=[False, True, False])),
    "view": lambda x: np.sum(x.view(np.ma.MaskedArray)),
    "where": lambda x: np.ma.masked_where(x > 2, x).sum(),
}
HIDDEN: dict[str, Callable[[Any], Any]] = {
    "astype": lambda x: np.sum(x.astype(str).astype(float)),
    "array": lambda x: np.sum(np.array(x, dtype=str).astype(float)),
    "asarray": lambda x: np.sum(np.asarray(x, dtype="S32").astype(float)),
    "list": lambda x: np.float64(np.array([x[0], "a"])[0]),
    "full": lambda x: np.sum(np.full(3, x[0], dtype="U30").astype(float)),
    "joined": lambda x: np.sum(np.concatenate([x, TEXTS]).astype(float)),
    "stacked": lambda x: np.sum(np.stack([x, ["1", "2", "3"]]).astype(float)),
    "appended": lambda x: np.sum(np.append(x, ["1"]).astype(float)),
    "chosen": lambda x: np.sum(np.where(x > 0, x, TEXTS).astype(float)),
    "stored": stored,
}


@pytest.mark.parametrize("f", [*MASKED.values(), *HIDDEN.values()], ids=[*MASKED, *HIDDEN])
def test_refused_in_both_modes(f: Callable[[Any], Any]) -> None:
    f(X)
    with pytest.raises(cr.ChainRulesError):
        cr.grad(f)(X)
    with pytest.raises(cr.ChainRulesError):
        cr.jvp(f, (X,), (np.ones(3),))


def test_an_argument_with_a_mask_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="would count what is masked"):
        cr.grad(lambda m: np.sum(m * m))(M)


def test_what_counts_alone_is_differentiated() -> None:
    gradient = cr.grad(lambda x: np.sum(np.where(M.mask, 0.0, x) * M.data) + np.sum(x[~M.mask]))(X)
    np.testing.assert_array_equal(gradient, [2.0, 0.0, 4.0])


def test_texts_alone_are_made_as_ever() -> None:
    def named(x: Any) -> Any:
        return x[np.array(["a", "b", "c"]) == "b"].sum() * np.array(("a", "b")).size

    np.testing.assert_array_equal(cr.grad(named)(X), [0.0, 2.0, 0.0])
