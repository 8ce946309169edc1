"""Shapes that depend on values: never guessed where JAX is tracing, but stated by the caller or refused."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import chainrules as cr


def first_positive(x: Any) -> Any:
    return x[x > 0.5]


def larger(x: Any) -> Any:
    return x[x > 1]


def with_a_count(x: Any) -> Any:
    return x, int(np.sum(x > 1.5))


AT = np.array([1.0, 2.0, 0.0, 5.0])


@pytest.mark.parametrize("f", [larger, first_positive, with_a_count, lambda x: x[x > 100.0]])
@pytest.mark.parametrize("seen", [False, True])
def test_a_shape_that_depends_on_values_is_never_guessed(f: Any, seen: bool) -> None:
    adapted = cr.to_jax(f)
    if seen:  # what a call outside of jit gave is no proof either
        adapted(np.zeros(4))
    with pytest.raises(cr.ShapeMismatch, match="may depend on values"):
        jax.jit(lambda x: jnp.concatenate([jnp.ravel(jax.tree.leaves(adapted(x))[0]), x]).sum())(AT)


def test_a_shape_that_depends_on_values_may_be_stated() -> None:
    adapted = cr.to_jax(larger, value=jax.ShapeDtypeStruct((2,), np.float64))
    total = jax.jit(lambda x: jnp.concatenate([adapted(x), x]).sum())
    assert total(AT) == 15.0
    with pytest.raises(
        (jax.errors.JaxRuntimeError, ValueError), match=r"where \(2,\) and float(32|64) were declared"
    ):
        jax.block_until_ready(total(AT + 2.0))


def test_what_is_empty_for_an_empty_argument_is_no_guess() -> None:
    adapted = cr.to_jax(lambda x: 2.0 * x)
    assert jax.jit(adapted)(jnp.zeros((0, 3))).shape == (0, 3)
