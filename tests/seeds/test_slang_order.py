"""The cases of the document on Slang (SL27, SL29, SL32, SL33): what a reverse function is given, its order.

SL28, SL30 and SL31 describe pointers; what they ask of values stands with the mutation of local state.
"""

import chainrules as cr


def test_SL27_a_value_used_twice_gets_both_cotangents():
    assert cr.vjp(lambda a: a + a, 3.0)[1](5.0) == (10.0,)


def test_SL29_what_carries_no_derivative_is_handed_over_as_it_is():
    table, seen = {"scale": 2}, []

    def scaled(x, table):
        seen.append(table)
        return x * table["scale"]

    _, pullback = cr.vjp(lambda x: scaled(x, table) * x, 3.0)
    assert pullback(1.0) == (12.0,)
    assert len(seen) == 1
    assert seen[0] is table


def test_SL32_a_pullback_answers_for_values_and_not_for_what_carries_no_derivative():
    def scaled(x, name, y):
        return x * y * len(name)

    _, pullback = cr.vjp(scaled, 3.0, "ab", 5.0)
    x_bar, name_bar, y_bar = pullback(1.0)
    assert (x_bar, y_bar) == (10.0, 6.0)
    assert isinstance(name_bar, cr.NoTangent | cr.Zero)


def test_SL33_the_reverse_sweep_runs_the_call_again_and_then_backwards():
    log = []

    def note(x, name):
        log.append(name)

        def look(t):
            log.append(f"{name} back")
            return t

        return cr.with_gradient(x, look)

    @cr.checkpoint
    def f(x):
        return note(note(x, "first") * 2, "second")

    y, pullback = cr.vjp(f, 3.0)
    assert log == ["first", "second"]
    log.clear()
    assert pullback(1.0) == (2.0,)
    assert log == ["first", "second", "second back", "first back"]
    assert y == 6.0
