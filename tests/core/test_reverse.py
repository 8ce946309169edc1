"""The reverse half of the contract: what a pullback may return, what a seed may be, what comes back."""

import threading
from typing import Any

import numpy as np
import pytest
from tests.core.calls import pulled, unary, value_and_pullback

import chainrules as cr


def pair() -> tuple[Any, list[Any]]:
    """A product of two numbers, and the seeds that its author's pullback saw."""
    seen: list[Any] = []

    def f(x, y):
        return x * y

    @cr.rrule(f)
    def f_rrule(x: cr.Array, y: cr.Array):
        def f_pullback(z_bar):
            seen.append(z_bar)
            return y * z_bar, x * z_bar

        return x * y, f_pullback

    return f, seen


FORBIDDEN = [
    (None, "the cotangent of argument 0 is None"),
    ((None,), "the cotangent of argument 0 is None"),
    (0, "the cotangent of argument 0 is 0"),
    ((0,), "the cotangent of argument 0 is 0"),
    ((True,), "the cotangent of argument 0 is True"),
    (((1.0,),), "the cotangent of argument 0 is a tuple"),
    ([1.0], "the cotangent of argument 0 is a list"),
    (({"x": 1.0},), "the cotangent of argument 0 is a dict"),
    (("1.0",), "the cotangent of argument 0 is a str"),
    ((), "its pullback returned 0 cotangents for 1 data parameters"),
    ((1.0, 2.0), "its pullback returned 2 cotangents for 1 data parameters"),
    ((np.ones(2),), r"a tangent of shape \(2,\)"),
]


@pytest.mark.parametrize(("answer", "what"), FORBIDDEN)
def test_a_pullback_that_breaks_the_contract_is_named(answer: Any, what: str) -> None:
    f, _ = unary(answer)
    with pytest.raises(cr.RuleContractError, match=what) as broken:
        pulled(f, 1.0)
    message = str(broken.value)
    assert "primal_rrule breaks the rule contract" in message
    assert "calls.py:" in message and "next: " in message


@pytest.mark.parametrize("answer", [5.0, (1.0, 2.0)])
def test_a_rule_that_returns_no_pair_is_named(answer: Any) -> None:
    def f(x):
        return x

    @cr.rrule(f)
    def f_rrule(x: float):
        return answer if answer == 5.0 else (x, answer, "more")

    with pytest.raises(cr.RuleContractError, match=r"f_rrule .* not \(value, pullback\)"):
        cr.apply_rrule(f, 1.0)


def test_a_bare_cotangent_is_for_one_data_parameter_alone() -> None:
    f, _ = unary(4.0)
    assert pulled(f, 1.0) == (4.0,)

    def g(x, y):
        return x

    @cr.rrule(g)
    def g_rrule(x: float, y: float):
        return x, lambda y_bar: y_bar

    with pytest.raises(cr.RuleContractError, match="1 cotangents for 2 data"):
        pulled(g, 1.0, 2.0)


@pytest.mark.parametrize("answer", [cr.Zero(), cr.NoTangent(), cr.NotImplementedTangent("not yet")])
def test_the_honest_zeros_pass(answer: Any) -> None:
    f, _ = unary((answer,))
    assert pulled(f, 1.0) == (answer,)


def test_a_container_s_cotangent_is_a_composite() -> None:
    def f(x):
        return x[0]

    @cr.rrule(f)
    def f_rrule(x: tuple):
        return x[0], lambda y_bar: (cr.Composite[tuple](y_bar, cr.Zero()),)

    assert pulled(f, (1.0, 2.0)) == (cr.Composite[tuple](1.0, cr.Zero()),)


@pytest.mark.parametrize("seed", [cr.Zero(), cr.NoTangent()])
def test_a_zero_seed_never_reaches_the_author(seed: Any) -> None:
    f, seen = pair()
    assert pulled(f, 2.0, 3.0, seed=seed) == (cr.Zero(), cr.Zero())
    assert seen == []


def test_what_is_missing_stays_missing() -> None:
    f, seen = pair()
    missing = cr.NotImplementedTangent("later")
    assert pulled(f, 2.0, 3.0, seed=missing) == (missing, missing)
    assert pulled(np.sin, 2.0, seed=missing) == (missing,)
    assert seen == []


def test_a_thunk_is_forced_once_and_before_the_author() -> None:
    f, seen = pair()
    forced = []

    def value() -> float:
        forced.append(1)
        return 1.0

    thunk = cr.Thunk(value)
    _, back = value_and_pullback(f, 2.0, 3.0)
    assert back(thunk) == back(thunk) == (3.0, 2.0)
    assert (seen, forced) == ([1.0, 1.0], [1])


def test_metadata_that_is_still_may_vary() -> None:
    def root_of(a, *, start=1.0):
        return a**0.5

    @cr.rrule(root_of, still=("start",))
    def root_rrule(a: float, *, start=1.0):
        y = root_of(a, start=start)
        return y, lambda y_bar: (y_bar / (2 * y),)

    @cr.frule(root_of, still=("start",))
    def root_frule(tangents, a: float, *, start=1.0):
        y = root_of(a, start=start)
        return y, tangents[0] / (2 * y)

    def f(a):
        return root_of(a, start=a * 0.5)

    for _ in range(4):
        assert cr.grad(f)(4.0) == cr.jvp(f, (4.0,), (1.0,))[1] == 0.25
    assert cr.grad(lambda a: root_of(9.0, start=a) * a)(4.0) == 3.0


def test_a_lazy_seed_comes_as_it_is() -> None:
    seen: list[Any] = []

    def f(x):
        return x

    @cr.rrule(f, lazy_seed=True)
    def f_rrule(x: float):
        def f_pullback(y_bar):
            seen.append(y_bar)
            return (cr.unthunk(y_bar),)

        return x, f_pullback

    _, back = value_and_pullback(f, 1.0)
    assert back(cr.Thunk(lambda: 4.0)) == (4.0,)
    assert back(cr.Zero()) == (cr.Zero(),)
    assert [type(t) for t in seen] == [cr.Thunk, cr.Zero]


def test_a_zero_in_part_of_a_tuple_reaches_the_author() -> None:
    seen: list[Any] = []

    def f(x):
        return x, 2.0 * x

    @cr.rrule(f)
    def f_rrule(x: float):
        def f_pullback(y_bar):
            first, second = y_bar
            seen.append((first, second))
            return cr.materialize(first, like=x) + 2.0 * cr.materialize(second, like=x)

        return f(x), f_pullback

    assert pulled(f, 1.0, seed=cr.Composite[tuple](cr.Zero(), 3.0)) == (6.0,)
    assert pulled(f, 1.0, seed=(1.0, cr.Zero())) == (1.0,)  # a plain tuple means the composite
    assert seen == [(cr.Zero(), 3.0), (1.0, cr.Zero())]


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_a_seed_carries_the_output_s_precision(dtype: Any) -> None:
    f, seen = pair()
    x = np.ones(3, dtype)
    x_bar, _ = pulled(f, x, x, seed=np.ones(3))
    assert seen[0].dtype == x_bar.dtype == dtype


def test_a_sparse_seed_is_made_what_the_author_takes() -> None:
    from scipy.sparse import coo_array

    f, seen = pair()
    x = np.arange(3.0)
    dense = np.array([0.0, 5.0, 0.0])
    x_bar, _ = pulled(f, x, x + 1.0, seed=coo_array(dense))
    assert type(seen[0]) is np.ndarray
    np.testing.assert_array_equal(x_bar, dense * (x + 1.0))


@pytest.mark.parametrize("seed", [1.0, np.ones(2)])
def test_a_seed_of_another_shape_is_refused(seed: Any) -> None:
    f, seen = pair()
    with pytest.raises(cr.ShapeMismatch):
        pulled(f, np.ones(3), np.ones(3), seed=seed)
    assert seen == []


CALLS = [
    (np.sin, (np.arange(3.0),)),
    (np.multiply, (np.arange(3.0), 2.0)),
    (np.add, (np.arange(3.0), np.ones((2, 3)))),
    (np.sum, (np.ones((2, 3)),)),
    (np.reshape, (np.arange(6.0), (2, 3))),
    (np.linalg.solve, (np.eye(3) * 2.0, np.arange(3.0))),
]


@pytest.mark.parametrize(("f", "x"), CALLS)
def test_a_pullback_may_be_called_often_and_from_several_threads_and_writes_no_seed(f: Any, x: Any) -> None:
    y, back = value_and_pullback(f, *x)
    seed = np.asarray(np.arange(1.0, 1.0 + np.size(y))).reshape(np.shape(y))
    seed.flags.writeable = False
    first = [np.asarray(cr.unthunk(t)).copy() for t in back(seed) if not isinstance(t, cr.NoTangent)]
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(back(seed))) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(answers) == 4
    for answer in answers:
        later = [cr.unthunk(t) for t in answer if not isinstance(t, cr.NoTangent)]
        for a, b in zip(first, later, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("x", "answer", "space"),
    [
        (np.float32(1), 2.0, np.float32),
        (1.0, 2.0 + 3.0j, float),
        (2, 2.0, float),
        (1.0 + 1.0j, 2.0, complex),
        (np.ones(2, np.float32), np.full(2, 2.0), np.float32),
        (np.ones(2), np.full(2, 2.0 + 3.0j), np.float64),
        (np.ones(2, int), np.full(2, 2.0), np.float64),
        (np.ones(2, complex), np.full(2, 2.0), np.complex128),
    ],
)
def test_a_cotangent_is_projected_onto_its_argument_s_space(x: Any, answer: Any, space: Any) -> None:
    f, _ = unary((answer,), object)
    (x_bar,) = pulled(f, x, seed=np.ones(np.shape(x)) if np.ndim(x) else 1.0)
    assert (x_bar.dtype if np.ndim(x) else type(x_bar)) == space
    np.testing.assert_array_equal(x_bar, np.full(np.shape(x), 2.0))


@pytest.mark.parametrize("x", [True, np.True_, np.array([True, False])])
def test_truth_values_have_no_tangent(x: Any) -> None:
    f, _ = unary((np.ones(np.shape(x)) if np.ndim(x) else 1.0,), object)
    assert pulled(f, x, seed=np.ones(np.shape(x)) if np.ndim(x) else 1.0) == (cr.NoTangent(),)


def test_a_cotangent_that_is_not_needed_is_not_projected() -> None:
    f, _ = pair()
    answered = cr.core.reverse(f, (np.float32(2), 3.0), needs=(True, False))
    assert answered is not None
    x_bar, _ = answered[1](1.0)
    assert (type(x_bar), x_bar) == (np.float32, 3.0)


def test_metadata_that_might_vary_is_missing_and_not_zero() -> None:
    def f(x, scale=1.0, axis=0):
        return x * scale

    @cr.rrule(f)
    def f_rrule(x: float, *, scale=1.0, axis=0):
        return x * scale, lambda y_bar: (scale * y_bar,)

    answered = cr.core.reverse(f, (2.0, 3.0, 1), needs=(True, True, True))
    assert answered is not None
    x_bar, scale_bar, axis_bar = answered[1](1.0)
    assert x_bar == 3.0
    assert isinstance(scale_bar, cr.NotImplementedTangent) and "scale as metadata" in repr(scale_bar)
    assert axis_bar is cr.NoTangent()
    with pytest.raises(cr.ChainRulesError, match=r"scale as metadata, .* they differentiate by x"):
        cr.grad(lambda s: f(2.0, s))(3.0)


def test_a_mutated_argument_s_state_after_the_call_is_a_further_output() -> None:
    calls: list[Any] = []

    def double(a):
        a *= 2.0

    @cr.rrule(double, mutates=(0,))
    def double_rrule(a: np.ndarray):
        double(a)

        def double_pullback(y_bar, after):
            calls.append((y_bar, after))
            return (2.0 * cr.materialize(after[0], like=a),)

        return None, double_pullback

    a = np.ones(2)
    _, back = value_and_pullback(double, a)
    np.testing.assert_array_equal(a, [2.0, 2.0])
    (a_bar,) = back(cr.Zero(), {0: cr.Thunk(lambda: np.array([1.0, 3.0]))})
    np.testing.assert_array_equal(a_bar, [2.0, 6.0])
    assert type(calls[0][1][0]) is np.ndarray  # forced for the author
    assert back(cr.Zero(), {0: cr.Zero()}) == back(cr.Zero()) == (cr.Zero(),)
    assert len(calls) == 1


def test_copyto_gives_the_state_before_nothing_and_the_source_everything() -> None:
    a, b = np.zeros(3), np.arange(3.0)

    def copy(a, b):
        np.copyto(a, b)

    @cr.rrule(copy, mutates=(0,))
    def copy_rrule(a: np.ndarray, b: np.ndarray):
        copy(a, b)
        return None, lambda y_bar, after: (cr.Zero(), after[0])

    _, back = value_and_pullback(copy, a, b)
    a_bar, b_bar = back(cr.Zero(), {0: np.ones(3)})
    assert a_bar is cr.Zero()
    np.testing.assert_array_equal(b_bar, np.ones(3))


@pytest.mark.parametrize("scale", [np.array([0.5], object), np.timedelta64(3, "s"), np.array([3], "m8[s]")])
def test_so_are_times_and_arrays_of_objects(scale: Any) -> None:
    def scaled(x: Any, *, scale: Any) -> Any:
        return x * float(np.asarray(scale).astype(float).item())

    @cr.rrule(scaled)
    def scaled_rrule(x: np.ndarray, *, scale: Any) -> Any:
        k = float(np.asarray(scale).astype(float).item())
        return x * k, lambda y_bar: (k * y_bar,)

    with pytest.raises(cr.NoRuleError, match="scale as metadata, without a derivative"):
        cr.grad(lambda s: np.sum(scaled(np.ones(2), scale=s)))(scale)


def doubled(x):
    for v in x:
        yield 2.0 * v


@cr.rrule(doubled)
def doubled_rrule(x: np.ndarray):
    return doubled(x), lambda y_bar: y_bar


@cr.frule(doubled)
def doubled_frule(tangents, x: np.ndarray):
    return doubled(x), tangents[0]


def test_a_rule_that_gives_its_items_later_is_refused():
    """Its items were constants in silence."""
    x = np.array([1.0, 2.0])
    for derivative in (
        cr.grad(lambda x: sum(doubled(x))),
        lambda x: cr.jvp(lambda x: sum(doubled(x)), (x,), (x,)),
    ):
        with pytest.raises(cr.RuleContractError, match="its value is a generator"):
            derivative(x)
