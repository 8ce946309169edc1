"""What does not show in what a function holds, and what a class of the user's does by methods of its own."""

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr
from chainrules.testing import check_grads

Counter: Any = collections.Counter
SETTINGS: dict[str, Any] = {"k": 1.0}
BUFFER = np.zeros(2)
FACTOR: Any = 0.0


def by_a_dictionary(x: Any) -> Any:
    SETTINGS["k"] = x
    return integrate.quad(lambda z: SETTINGS["k"] * z, 0.0, 1.0)[0]


def cubic(z: Any) -> Any:
    return z**3 + FACTOR * z - 1.0


def by_a_variable(x: Any) -> Any:
    global FACTOR
    FACTOR = 2.0 * x
    return optimize.brentq(cubic, -5.0, 5.0)


def by_an_array(x: Any) -> Any:
    BUFFER[0] = x
    return integrate.quad(lambda z: BUFFER[0] * z, 0.0, 1.0)[0]


class Constants:
    k: Any = 1.0


def by_a_class(x: Any) -> Any:
    Constants.k = x
    return integrate.quad(lambda z: Constants.k * z, 0.0, 1.0)[0]


def by_a_checkpoint(x: Any) -> Any:
    SETTINGS["k"] = x
    return cr.checkpoint(lambda v: v * SETTINGS["k"])(2.0 * x)


def by_a_method_of_a_class_inside(x: Any) -> Any:
    class Problem:
        def residual(self, z: Any) -> Any:
            return z**3 + x * z - 1.0

    return optimize.brentq(Problem().residual, -5.0, 5.0)


def by_an_attribute_of_a_function(x: Any) -> Any:
    def integrand(z: Any) -> Any:
        return z * integrand.k  # type: ignore[attr-defined]

    integrand.k = x  # type: ignore[attr-defined]
    return integrate.quad(integrand, 0.0, 1.0)[0]


def by_c_code(x: Any) -> Any:
    SETTINGS["k"] = x
    return np.frompyfunc(lambda v: v * SETTINGS["k"], 1, 1)(np.arange(3.0)).astype(float).sum()


def by_functions_in_a_list(x: Any) -> Any:
    SETTINGS["k"] = x
    at = np.array([-1.0, 2.0])
    return np.sum(np.piecewise(at, [at < 0.0, at >= 0.0], [lambda v: v * SETTINGS["k"], lambda v: v]))


@pytest.mark.parametrize(
    "f",
    [
        by_functions_in_a_list,
        *(by_a_dictionary, by_a_variable, by_an_array, by_a_class, by_a_checkpoint),
        *(by_a_method_of_a_class_inside, by_an_attribute_of_a_function, by_c_code),
    ],
)
def test_what_a_rule_would_not_see_is_refused(f: Any) -> None:
    for derivative in (cr.grad(f), cr.derivative(f)):
        with pytest.raises(cr.NotDifferentiableError, match="finds in its module"):
            derivative(0.7)


LOG: list[Any] = []


class Logging:
    def __init__(self, k: Any) -> None:
        self.k = k

    def step(self) -> None:
        LOG.append(self.k * 2.0)

    def solve(self) -> Any:
        return optimize.brentq(lambda z: z**3 + self.k * z - 1.0, -5.0, 5.0)


def test_what_other_methods_find_does_not_matter() -> None:
    def f(x: Any) -> Any:
        model = Logging(x)
        model.step()
        return model.solve()

    check_grads(f, 0.7, order=1)


def test_the_same_as_arguments_and_captured() -> None:
    assert cr.grad(lambda x: integrate.quad(lambda z: x * z, 0.0, 1.0)[0])(0.7) == pytest.approx(0.5)
    by_args = cr.grad(lambda x: integrate.quad(lambda z, k: k * z, 0.0, 1.0, args=(x,))[0])
    assert by_args(0.7) == pytest.approx(0.5)


class Counting(dict[str, Any]):
    puts = 0

    def __setitem__(self, key: str, value: Any) -> None:
        Counting.puts += 1
        super().__setitem__(key, value)


class Kept(list[Any]):
    def clear(self) -> None:
        raise RuntimeError("nobody asked for this")


class Plain(list[Any]):
    pass


def doubled(c: Any) -> Any:
    c["a"] = c["a"] * 2.0
    return c["a"] * c["b"]


def grown(values: Any) -> Any:
    values.append(values[0] * 1.0)
    values[0] = values[0] * 3.0
    return values[0] * values[1]


def test_containers_whose_methods_are_their_own() -> None:
    counter = Counter(a=2.0, b=3.0)
    value, gradient = cr.value_and_grad(doubled)(counter)
    assert (value, dict(gradient)) == (12.0, {"a": 6.0, "b": 4.0})
    assert counter == {"a": 4.0, "b": 3.0}
    counting = Counting(a=2.0, b=3.0)
    assert cr.value_and_grad(doubled)(counting)[0] == 12.0
    assert Counting.puts == 1
    kept = Kept([2.0])
    assert cr.value_and_grad(grown)(kept)[0] == 12.0
    assert kept == [6.0, 2.0]
    assert type(kept) is Kept


def of_counters(x: Any) -> Any:
    c = Counter(a=x)
    c.update({"a": x})
    return c["a"] * (c + Counter(a=x, b=1.0))["a"] * (+c)["a"]


class Lazy:
    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute = compute

    def __get__(self, owner: Any, kind: Any) -> Any:
        made = owner.__dict__[self.compute.__name__] = self.compute(owner)
        return made


class Model:
    def __init__(self, w: Any) -> None:
        self.w = w

    @Lazy
    def square(self) -> Any:
        return self.w**2


def by_lazy_fields(x: Any) -> Any:
    model, other = Model(x), Model(x)
    first = model.square
    model.w = 3.0
    other.__dict__["square"] = 2.0 * x
    return first * model.square * other.square


class Deleting:
    def __init__(self, v: Any) -> None:
        self._v = v

    @property
    def v(self) -> Any:
        return self._v

    @v.deleter
    def v(self) -> None:
        self._v = self._v * 2.0


def by_deleters(x: Any) -> Any:
    first, second = Deleting(x), Deleting(x)
    del first.v
    delattr(second, "v")
    return first.v * second.v


def by_sums_into_an_array(x: Any) -> Any:
    out = np.zeros(2)
    np.einsum("i,i->i", np.array([1.0, 2.0]) * x, np.array([3.0, 4.0]) * x, out=out)
    flat: Any = np.zeros((2, 2))
    flat.flat = x * 2.0
    return np.sum(out) * np.sum(flat)


@pytest.mark.parametrize(
    "f",
    [
        *(of_counters, by_lazy_fields, by_deleters, by_sums_into_an_array),
        lambda x: sum(Plain([x, x * x])) * x,
    ],
)
def test_it_is_followed(f: Any) -> None:
    check_grads(f, 0.7, order=2)


def read_as_it_is_filled(x: Any) -> Any:
    table, y = np.zeros(3), 0.0
    for i, (v, w) in enumerate(zip(table, [1.0, 2.0, 3.0], strict=True)):
        if i < 2:
            table[i + 1] = v + x
        y = y + v * w
    return y * sum(v for v in table)


def test_an_array_that_is_filled_while_it_is_gone_through() -> None:
    check_grads(read_as_it_is_filled, 0.7, order=2)


def test_a_store_into_what_an_iterator_gives_is_refused() -> None:
    def f(x: Any) -> Any:
        out = np.zeros(3)
        entries: Any = np.nditer(out, op_flags=["readwrite"])
        for k, entry in enumerate(entries):
            entry[...] = x * k
        return out.sum()

    with pytest.raises(cr.AliasedMutationError, match="nditer"):
        cr.grad(f)(0.7)


class Registering:
    k: Any

    def __init_subclass__(cls, k: Any) -> None:
        cls.k = k * 2.0


def test_a_value_in_the_head_of_a_class_is_refused() -> None:
    def f(x: Any) -> Any:
        class Inside(Registering, k=x):
            pass

        return Inside.k**2

    def constant(x: Any) -> Any:
        class Inside(Registering, k=2.0):
            pass

        return Inside.k * x

    with pytest.raises(cr.NotDifferentiableError, match="as it is made"):
        cr.grad(f)(0.7)
    assert cr.grad(constant)(0.7) == 4.0


def test_a_class_inside_has_its_name() -> None:
    names: list[str] = []

    def f(x: Any) -> Any:
        class Inside:
            pass

        names.append(Inside.__qualname__)
        return x * x

    f(1.0)
    cr.grad(f)(1.0)
    assert len(set(names)) == 1
