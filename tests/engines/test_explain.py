"""`explain`: what each line called, by which rule, what was sparse or never needed, and what it cost."""

import numpy as np
import pytest

import chainrules as cr


def helper(h):
    return np.tanh(h) * 2.0


def loss(w, x, n):
    h = w @ x
    for _ in range(n):
        h = helper(h)
    k = np.argmax(h)
    return np.sum(h**2) + x[k]


@pytest.fixture(scope="module")
def explanation():
    return cr.explain(loss, np.ones((3, 3)) * 0.1, np.arange(3.0), 2)


def line_of(text):
    first = loss.__code__.co_firstlineno
    with open(__file__) as file:
        return next(i for i, line in enumerate(file, start=1) if i > first and text in line)


def test_the_value_is_that_of_f(explanation):
    assert explanation.value == loss(np.ones((3, 3)) * 0.1, np.arange(3.0), 2)
    assert explanation.forward > 0
    assert explanation.backward > 0


def test_each_call_stands_at_its_line_with_its_rule(explanation):
    top, inner = explanation.functions
    found = {(n.line, n.callee): n for n in top.notes}
    product = found[line_of("w @ x"), "operator.matmul"]
    assert "matmul_rrule" in product.rule
    assert "products.py:" in product.rule
    called = found[line_of("helper(h)"), f"{__name__}.helper"]
    assert called.runs == 2
    assert called.rule.startswith("its source")
    assert called.forward > 0
    assert called.backward > 0
    read = found[line_of("x[k]"), "operator.getitem"]
    assert read.remarks == ["the cotangent of operand 0 was sparse"]
    assert {n.callee for n in inner.notes} == {"numpy.tanh", "operator.mul"}
    assert sum(n.bytes for n in top.notes) + sum(n.bytes for n in inner.notes) >= 3 * 8 * 3


def test_calls_without_derivative_are_listed(explanation):
    assert explanation.functions[0].inactive[line_of("np.argmax")] == ["np.argmax"]


def scaled(x, y):
    return x * y


@cr.rrule(scaled)
def scaled_rrule(x: cr.Array, y: cr.Array):
    def scaled_pullback(s_bar):
        return cr.Thunk(lambda: s_bar * y), cr.Thunk(lambda: s_bar * x)

    return x * y, scaled_pullback


def test_thunks_that_nothing_forced_are_told():
    (noted,) = cr.explain(lambda x: scaled(x, 2.0), 3.0).functions[0].notes
    assert noted.rule.startswith("scaled_rrule")
    assert noted.remarks == ["the cotangent of operand 1 was a thunk that nothing forced"]


def test_text_and_page(explanation):
    text = str(explanation)
    for said in ("w @ x", "matmul_rrule", "no derivative passes: np.argmax", "×2", "forward", "µs"):
        assert said in text
    page = explanation._repr_html_()
    assert "<style>" in page
    assert "h**2" in page
    assert "<script" not in page
    assert "http" not in page


def test_what_has_no_lines_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match=r"no lines to explain(.|\n)*next: "):
        cr.explain(np.sin, 1.0)


def test_what_a_function_changes_of_its_arguments_changes():
    def heated(u):
        u[1:] += 0.5 * u[:-1]
        return np.sum(u**2)

    u = np.array([1.0, 2.0])
    assert cr.explain(heated, u).value == 1.0 + 2.5**2
    assert u.tolist() == [1.0, 2.5]


def test_the_rules_that_are_named_are_those_that_ran():
    def f(x, y):
        return np.sum((x - y) * y)

    explanation = cr.explain(f, np.ones(3), np.arange(3.0))
    rules = {n.callee: n.rule.partition("(")[0] for n in explanation.functions[0].notes}
    assert rules == {"operator.sub": "sub_rrule", "operator.mul": "mul_rrule", "numpy.sum": "sum_rrule"}


def test_compiling_is_shown_apart():
    def callee(x):
        return np.sin(x)

    def f(x):
        return np.sum(callee(x) * x)

    explanation = cr.explain(f, np.ones(3))
    lines = sum(n.forward for n in explanation.functions[0].notes)
    assert 0.0 < lines <= explanation.forward
    assert explanation.compiling > 0.0
    assert "; compiled before in" in str(explanation)
