"""Ways past the sites: what C code hands on, computes or keeps is followed, or refused, never lost."""

import collections
import itertools
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules import implicit
from chainrules.testing import check_grads

X = np.array([1.3, 0.7, 0.4])
RECORDS = np.dtype([("p", float), ("n", int)])


class Doubled:
    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, cls: type) -> Any:
        return owner.__dict__[self.name]

    def __set__(self, owner: Any, value: Any) -> None:
        owner.__dict__[self.name] = value * 2.0


class Held:
    side = Doubled()

    @property
    def squared(self) -> Any:
        return self.__dict__["side"] ** 2


def pairs(x):
    return sum(a * b for a, b in itertools.pairwise(x))


def a_set_of_items(x):
    seen: set[Any] = set()
    seen.update(x * x)
    return sum(seen)


def keys_of_a_dictionary(x):
    return sum(dict.fromkeys(x * x, 1.0))


def a_queue_from_the_left(x):
    queue: collections.deque[Any] = collections.deque()
    queue.extendleft(x * x)
    return queue[0] * queue[-1]


def past_a_setter(x):
    held = Held()
    object.__setattr__(held, "side", x[0])
    return held.side * object.__getattribute__(held, "squared")


def a_part_of_complex_numbers(x):
    z = np.zeros(3, complex)
    z[:2] = x[:2]
    z[2] = x[2] * (1.0 + 2.0j)
    return np.sum(np.abs(z) ** 2)


def rebound_before_it_changes(x):
    kept = [np.ones(3)]
    a = kept[0]
    m = np.sum(np.apply_along_axis(lambda v: v * kept[0], 0, x * x))
    kept = None  # type: ignore[assignment]  # that is what is tested
    a[0] = m
    return np.sum(a) * m


@pytest.mark.parametrize(
    "f",
    [
        pairs,
        a_set_of_items,
        keys_of_a_dictionary,
        a_queue_from_the_left,
        past_a_setter,
        a_part_of_complex_numbers,
        rebound_before_it_changes,
    ],
)
def test_it_is_followed(f: Any) -> None:
    check_grads(f, X, order=2)


def test_a_pullback_inside_a_function_that_a_rule_is_given() -> None:
    """Second order by a solver that is given products alone: they are pullbacks of runs inside this one."""
    x = np.array([1.1, 1.6, 1.9])

    def residual(u: Any, a: Any) -> Any:
        return u**3 + 0.3 * np.roll(u, 1) * u - a

    def by_products(product: Any, b: Any) -> Any:
        return np.linalg.solve(np.stack([product(e) for e in np.eye(len(b))], axis=1), b)

    def total(a: Any, solver: Any) -> Any:
        return np.sum(implicit.root(residual, x, a, solver=solver) ** 2)

    a = residual(x, 0.0)
    dense = cr.hessian(lambda a: total(a, None))(a)
    np.testing.assert_allclose(cr.hessian(lambda a: total(a, by_products))(a), dense, rtol=1e-9)


def test_arrays_of_objects_and_numbers_of_a_users_class() -> None:
    class Metres(float):
        pass

    np.testing.assert_array_equal(
        cr.grad(lambda a: np.sum(a * a))(np.array([1.0, 2.0], object)), np.array([2.0, 4.0], object)
    )
    seen = []
    cr.grad(lambda x: seen.append(type(x)) or x * x)(Metres(2.0))  # type: ignore[func-returns-value]  # on purpose
    assert seen == [Metres]


def of_text(x):
    return float(str(x[0])[:4])


def of_letters(x):
    return sum(float(c) for c in str(x[0]) if c.isdigit())


def in_other_threads(x):
    with ThreadPoolExecutor(1) as pool:
        return sum(pool.map(np.square, [x[0]]))


def waited_for(x):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(np.square, x[0]).result()


def a_field_of_a_row(x):
    a = np.zeros(2, RECORDS)
    a[1]["p"] = x[0] * x[0]
    return np.sum(a["p"])


@pytest.mark.parametrize("f", [of_text, of_letters, in_other_threads, waited_for, a_field_of_a_row])
def test_it_is_refused(f: Any) -> None:
    for run in (lambda: cr.grad(f)(X), lambda: cr.jvp(f, (X,), (X,))):
        with pytest.raises(cr.ChainRulesError, match="next: "):
            run()


def test_whole_numbers_promise_an_error() -> None:
    def counted(x: float, n: int) -> float:
        return x * int.bit_count(n)

    assert cr.grad(counted)(2.0, 7) == 3.0
    with pytest.raises(cr.NoRuleError, match="bit_count"):
        cr.grad(counted, argnums=1)(2.0, 7)


def test_what_was_computed_once_must_still_hold() -> None:
    class Box:
        def __init__(self, v: float) -> None:
            self.v = v

        @cached_property
        def square(self) -> float:
            return self.v**2

    box = Box(2.0)
    assert box.square == 4.0
    assert cr.grad(lambda b: b.square)(box).v == 4.0
    box.v = 3.0  # Python goes on with what it kept
    with pytest.raises(cr.AliasedMutationError, match="was changed after it was computed"):
        cr.grad(lambda b: b.square)(box)
