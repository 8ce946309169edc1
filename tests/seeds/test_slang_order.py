"""The cases of the document on Slang (SL27, SL33) that concern the order of the reverse sweep.

SL28–SL32 describe pointers and signatures of Slang's backward functions; what they ask of values
stands with the mutation of local state.
"""

import chainrules as cr


def test_SL27_a_value_used_twice_gets_both_cotangents():
    assert cr.vjp(lambda a: a + a, 3.0)[1](5.0) == (10.0,)


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
