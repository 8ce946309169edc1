"""Look-ups: which calls need a rule, and what is said where one is missing."""

import math

import numpy as np
import pytest
from scipy.spatial import distance
from scipy.special.cython_special import betainc  # an opaque function without a rule

import chainrules as cr
from chainrules.core.registry import Rules

MODES = [cr.grad, cr.derivative]


def opaque(x):
    """A call of a C function without a rule."""
    return betainc(x, 1.0, 0.5) * 2


def middle(x):
    return 1 + opaque(x * x)


def outer(x):
    y = 3 * x
    return middle(y)


@pytest.mark.parametrize("mode", MODES)
def test_an_opaque_call_shows_the_chain_down_to_it_and_the_line_to_write(mode):
    with pytest.raises(cr.NoRuleError) as caught:
        mode(outer)(2.0)
    shown = str(caught.value).splitlines()
    assert "rule for scipy.special.cython_special.betainc(float, float, float)" in shown[0]
    calls = [i for i, line in enumerate(shown) if "test_lookups.py:" in line]
    marked = []
    for i in calls:
        start, end = shown[i + 2].index("^"), shown[i + 2].rindex("^") + 1
        marked.append(shown[i + 1][start:end])
    assert marked == ["betainc(x, 1.0, 0.5)", "opaque(x * x)", "middle(y)"]
    rule = "rrule" if mode is cr.grad else "frule"
    assert f"`@chainrules.{rule}(scipy.special.cython_special.betainc)`" in shown[-1]


@pytest.mark.parametrize("mode", MODES)
def test_calls_that_no_derivative_passes_need_no_rule(mode):
    def f(x):
        constant = betainc(1.0, 1.0, 0.0)
        unused = betainc(x, 1.0, 0.5)  # noqa: F841  # that is the point
        sign = math.copysign(1, 3.0) if betainc(x, 1.0, 0.5) > 0 else -1.0
        print(betainc(x, 1.0, 0.5), end="")  # noqa: T201  # a call that needs no derivative
        assert betainc(x, 1.0, 0.5)
        table = [0.0, 1.0, 2.0]
        return x * (constant + 2.0) * sign + table[int(x)]

    assert mode(f)(0.75) == pytest.approx(2.0)


@pytest.mark.parametrize("mode", MODES)
def test_text_made_of_a_number_is_an_error_on_the_way_to_the_value(mode):
    with pytest.raises(cr.NoRuleError, match=r"float\(str\)"):
        mode(lambda x: float(str(x)))(2.0)
    assert mode(lambda x: x * len(str(2.0)))(2.0) == 3.0


def test_whole_numbers_may_be_given_to_an_opaque_function_unless_a_derivative_has_to_pass():
    def counted(x, n):
        return x * int.bit_count(n)

    assert cr.grad(counted)(2.0, 7) == 3.0
    assert cr.vjp(counted, 2.0, 7)[0] == 6.0
    with pytest.raises(cr.NoRuleError, match="bit_count"):
        cr.grad(counted, argnums=1)(2.0, 7)


def ruled(x):
    return betainc(x, 1.0, 0.5)


def test_a_rule_registered_later_is_found():
    def f(x):
        return ruled(x) * 3

    with pytest.raises(cr.NoRuleError):
        cr.grad(f)(0.5)

    @cr.rrule(ruled)
    def ruled_rrule(x: float):
        def ruled_pullback(y_bar):
            return y_bar * 10

        return ruled(x), ruled_pullback

    assert cr.grad(f)(0.5) == 30.0
    assert cr.grad(ruled)(0.5) == 10.0


FLAG = len


def test_a_global_name_that_means_something_else_by_now(monkeypatch):
    def f(x):
        return x * FLAG([x, x])

    assert cr.grad(f)(3.0) == 2.0
    monkeypatch.setitem(f.__globals__, "FLAG", lambda values: values[0] * 5)
    assert cr.grad(f)(3.0) == 30.0
    assert cr.derivative(f)(3.0) == 30.0
    monkeypatch.setitem(f.__globals__, "FLAG", len)
    assert cr.grad(f)(3.0) == 2.0


def test_the_same_call_site_takes_values_of_several_types():
    def f(x, y):
        return np.sum(x * y)

    for x in (2.0, np.float32(2), np.ones(3), [1.0, 2.0], 2, np.ones((2, 3)), 3.0):
        y = np.ones(3) if not isinstance(x, list) else np.ones(2)
        gradient = cr.grad(f, argnums=1)(x, y)
        expected = np.broadcast_to(np.asarray(x), np.broadcast_shapes(np.shape(x), y.shape))
        np.testing.assert_allclose(gradient, expected.reshape(-1, y.size).sum(0))


class Ruled:
    """A class with a rule for its attribute `height`."""

    height = 2.0


class Plain:
    """A class that no rule is about, with an attribute of the same name."""

    def __init__(self, height):
        self.height = height


def test_a_rule_of_another_class_is_not_looked_up_for_an_attribute_of_the_same_name(monkeypatch):
    @cr.rrule(getattr, Ruled, "height")
    def height_rrule(x: Ruled):
        def height_pullback(y_bar):
            return cr.NoTangent()

        return x.height, height_pullback

    looked = []
    resolve = Rules.resolve

    def resolve_and_note(rules, mode, types):
        looked.append(types)
        return resolve(rules, mode, types)

    monkeypatch.setattr(Rules, "resolve", resolve_and_note)

    def f(x):
        made = [Plain(x * i) for i in range(5)]
        return sum([p.height for p in made]) * Ruled().height

    assert cr.vjp(f, 3.0)[1](1.0) == (20.0,)
    assert (Plain,) not in looked


def decorated(f):
    return f


@decorated
@decorated
def of_text(x):
    y = 2 * x
    return float(str(y))


@decorated
async def coroutine(x):
    return x


def of_reals(x):
    return distance.canberra(x * 1j, x)  # refused in the rule's program


def unkept(x):
    y = np.ones(3)
    np.maximum.at(y, [0, 1], x[:2])
    return np.sum(y)


@pytest.mark.parametrize(
    ("f", "x", "marked"),
    [
        (of_text, 2.0, "float(str(y))"),
        (coroutine, 2.0, "async def coroutine(x):"),
        (of_reals, np.ones(3), "distance.canberra(x * 1j, x)"),
        (unkept, np.ones(3), "np.maximum.at(y, [0, 1], x[:2])"),
    ],
)
def test_an_error_names_its_line(f, x, marked):
    """Also in a decorated function, and where a rule refuses an argument."""
    with pytest.raises(cr.ChainRulesError) as caught:
        cr.grad(f)(x)
    _, line, marks = caught.value.where.splitlines()[:3]
    assert line[marks.index("^") : marks.rindex("^") + 1] == marked
