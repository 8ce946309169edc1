"""A call changes an object and then puts another in its place: other names are right, or it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

X = np.array([1.0, 2.0, 3.0, 0.5])


class Box:
    """Holds an array, and changes it before it lets go of it."""

    def __init__(self, w: Any) -> None:
        self.w = w

    @property
    def v(self) -> Any:
        return self.w

    @v.setter
    def v(self, u: Any) -> None:
        self.w[1:3] = u[:2] * 0.6
        self.w = self.w * 0.5

    def hit(self, u: Any) -> None:
        self.w[1:3] = u[:2] * 0.6
        self.w = self.w * 0.5

    def __setitem__(self, key: Any, u: Any) -> None:
        self.w[key] = u[:2] * 0.6
        self.w = self.w * 0.5

    def __iadd__(self, u: Any) -> Any:
        self.w[1:3] = u[:2] * 0.6
        self.w = self.w * 0.5
        return self


def hit(held: Any, u: Any) -> None:
    held[0][1:3] = u[:2] * 0.6
    held[0] = held[0] * 0.5


def drop(held: Any, u: Any) -> None:
    held[0][1:3] = u[:2] * 0.6
    del held[0]


def give(held: Any, u: Any) -> Any:
    old = held[0]
    old[1:3] = u[:2] * 0.6
    held[0] = old * 0.5
    return old


def grow(held: Any, u: Any) -> None:
    held[0].append(u * 2.0)
    held[0] = [u]


def renew(held: Any, u: Any) -> None:
    held[0] = held[0] * u


def reshape(held: Any, u: Any) -> None:
    held[0][1:3] = u[:2] * 0.6
    held[0] = held[0].reshape(2, 2)


def hand_over(held: Any, other: Any, u: Any) -> None:
    held[0][1:3] = u[:2] * 0.6
    other[0] = held[0]
    held[0] = held[0] * 0.5


def inner(held: Any, u: Any) -> None:
    held[0][0][1:3] = u[:2]
    held[0][0] = held[0][0] * 0.5


def in_list(x: Any) -> Any:
    held = [x * 1.0]
    c = held[0]
    hit(held, x)
    return np.sum(c * c)


def in_dict(x: Any) -> Any:
    held = {0: x * 1.0}
    c = held[0]
    hit(held, x)
    return np.sum(c * c)


def in_object(x: Any) -> Any:
    box = Box(x * 1.0)
    c = box.w
    box.hit(x)
    return np.sum(c * c)


def by_setter(x: Any) -> Any:
    box = Box(x * 1.0)
    c = box.w
    box.v = x
    return np.sum(c * c)


def by_setitem(x: Any) -> Any:
    box = Box(x * 1.0)
    c = box.w
    box[1:3] = x
    return np.sum(c * c)


def by_operator(x: Any) -> Any:
    box = Box(x * 1.0)
    c = box.w
    box += x
    return np.sum(c * c)


def dropped(x: Any) -> Any:
    held = [x * 1.0, x]
    c = held[0]
    drop(held, x)
    return np.sum(c * c)


def given_back(x: Any) -> Any:
    held = [x * 1.0]
    c = held[0]
    old = give(held, x)
    return np.sum(c * c) + np.sum(old)


def in_holder(x: Any) -> Any:
    held = [x * 1.0]
    keep = {"k": (held[0],)}
    hit(held, x)
    return np.sum(keep["k"][0] ** 2)


def in_same_holder(x: Any) -> Any:
    held = [x * 1.0]
    both = (held, held[0])
    hit(both[0], x)
    return np.sum(both[1] ** 2)


def of_containers(x: Any) -> Any:
    held = [[x * 1.0]]
    c = held[0]
    grow(held, x)
    return np.sum(c[-1] ** 2)


def captured(x: Any) -> Any:
    held = [x * 1.0]
    c = held[0]

    def later() -> Any:
        return np.sum(c * c)

    hit(held, x)
    return later()


def of_closure(x: Any) -> Any:
    held = [x * 1.0]
    c = held[0]

    def change() -> None:
        hit(held, x)

    change()
    return np.sum(c * c)


def maybe_bound(x: Any) -> Any:
    held = [x * 1.0]
    for i in range(2):
        if i > 0:
            c = held[0]
        hit(held, x)
    return np.sum(c * c)


def only_renewed(x: Any) -> Any:
    held = [x * 1.0]
    c = held[0]
    renew(held, x)
    return np.sum(c * c) + np.sum(held[0])


def reshaped(x: Any) -> Any:
    held = [x * 1.0]
    c = held[0]
    reshape(held, x)
    return np.sum(c * c) + np.sum(held[0] ** 2)


def handed_over(x: Any) -> Any:
    held, other = [x * 1.0], [x * 2.0]
    c = held[0]
    hand_over(held, other, x)
    return np.sum(c * c) + np.sum(other[0])


def held_by_holder(x: Any) -> Any:
    held = [x * 1.0]
    keep = (held, [held])
    hit(keep[0], x)
    return np.sum(keep[0][0] ** 2) + np.sum(keep[1][0][0] ** 2)


def deep_in_holder(x: Any) -> Any:
    held = [[x * 1.0]]
    keep = (held[0],)
    inner(held, x)
    return np.sum(keep[0][0] ** 2)


def no_other_name(x: Any) -> Any:
    held = [x * 1.0]
    old = give(held, x)
    return np.sum(old * old) + np.sum(held[0])


def equal(held: Any, u: Any) -> None:
    held[0][0] = u[0]
    held[0][1:2] = 2.0 * u[1:2]
    held[0] = held[0] * 0.5


def equal_in_place(held: Any, u: Any) -> None:
    held[0] *= u / X
    held[0] = held[0] * 0.5


def equal_by_rule(held: Any, u: Any) -> None:
    np.multiply(held[0], u / X, out=held[0])
    held[0] = held[0] * 0.5


def equal_numbers(x: Any) -> Any:
    held = [x * x]
    c = held[0]
    equal(held, x)
    return np.sum(c * c)


def equal_numbers_in_place(x: Any) -> Any:
    held = [x * x]
    c = held[0]
    equal_in_place(held, x)
    return np.sum(c * c)


def equal_numbers_by_rule(x: Any) -> Any:
    held = [x * x]
    c = held[0]
    equal_by_rule(held, x)
    return np.sum(c * c)


def keep_the_part(held: Any, u: Any) -> None:
    held[0][:2] = u[:2] ** 2
    held[0] = held[0][:2]


def equal_numbers_kept(x: Any) -> Any:
    held = [x * 1.0]
    c = held[0]
    keep_the_part(held, x)
    return np.sum(c * c) + np.sum(held[0])


LOST = [in_list, in_dict, in_object, by_setter, by_setitem, by_operator, dropped, given_back, in_holder]
LOST += [in_same_holder, of_containers, captured, of_closure, maybe_bound]
LOST += [equal_numbers, equal_numbers_in_place, equal_numbers_by_rule]
SEEN = [
    only_renewed,
    reshaped,
    handed_over,
    held_by_holder,
    deep_in_holder,
    no_other_name,
    equal_numbers_kept,
]


def differences(f: Callable[[Any], Any], step: float = 1e-6) -> Any:
    return np.array([(f(X + h) - f(X - h)) / (2 * step) for h in np.eye(4) * step])


@pytest.mark.parametrize("f", LOST)
def test_a_change_that_is_let_go_of(f: Callable[[Any], Any]) -> None:
    for run in (
        lambda: rightly.grad(f)(X),
        lambda: rightly.jvp(f, (X,), (X,)),
        lambda: rightly.grad(lambda x: np.sum(rightly.grad(f)(x)))(X),
    ):
        run()


@pytest.mark.parametrize("f", SEEN)
def test_what_is_held_still_is_seen(f: Callable[[Any], Any]) -> None:
    expected = differences(f)
    np.testing.assert_allclose(cr.grad(f)(X), expected, atol=1e-6)
    np.testing.assert_allclose(cr.jvp(f, (X,), (np.ones(4),))[1], expected.sum(), atol=1e-6)
    second = cr.grad(lambda x: np.sum(cr.grad(f)(x) * x))(X)
    np.testing.assert_allclose(second, differences(lambda x: np.sum(cr.grad(f)(x) * x), 1e-5), atol=1e-5)
