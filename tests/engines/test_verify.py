"""`verify`: all faults together, with their places and chains of calls, and nothing runs."""

import pytest

import chainrules as cr

RAN: list[float] = []


count = memoryview.tobytes


def helper(x):
    RAN.append(x)
    y = eval("x")  # refused, never run
    return count(x) + y


def faulty(x, y):
    RAN.append(x)
    a = eval("y")  # refused, never run
    b = x * y
    for _ in range(3):
        b = b + helper(b)
    return a * b + count(x)


def test_all_faults_of_a_function_and_what_it_calls_at_once():
    with pytest.raises(cr.VerificationError) as caught:
        cr.verify(faulty, 1.0, 2.0)
    kinds = sorted(type(e).__name__ for e in caught.value.exceptions)
    assert kinds == ["NoRuleError", "NoRuleError", "UnsupportedSyntaxError", "UnsupportedSyntaxError"]
    text = str(caught.value)
    assert "4 faults" in text
    assert text.count("`eval`") == 2
    assert text.count("memoryview.tobytes") >= 2
    assert "when differentiating this call" in text
    assert RAN == []


def test_no_fault_is_left_out_of_many(tmp_path):
    source = tmp_path / "many.py"
    source.write_text("def many(x):\n" + "    y = eval('x')\n" * 110 + "    return x\n")
    held: dict = {}
    exec(compile(source.read_text(), str(source), "exec"), held)
    with pytest.raises(cr.VerificationError) as caught:
        cr.verify(held["many"], 1.0)
    assert len(caught.value.exceptions) == 110


@pytest.mark.parametrize("mode", ["rev", "fwd"])
def test_one_fault_is_raised_as_it_is(mode):
    with pytest.raises(cr.NoRuleError, match=r"(.|\n)*\^(.|\n)*next: ") as caught:
        cr.verify(lambda x: count(x) * 2, 1.0, mode=mode)
    assert f"{__file__}:" in str(caught.value)
    with pytest.raises(cr.VerificationError):
        cr.verify(faulty, 1.0, 2.0, mode=mode)


class Model:
    def __init__(self):
        self.w = 2.0

    def loss(self, x):
        return self.w * x

    def bad(self, x):
        return count(x)


def test_methods_of_arguments_are_followed():
    cr.verify(lambda m, x: m.loss(x), Model(), 1.0)
    with pytest.raises(cr.NoRuleError, match="tobytes"):
        cr.verify(lambda m, x: m.bad(x), Model(), 1.0)
    with pytest.raises(cr.NoRuleError, match="tobytes"):
        cr.verify(Model().bad, 1.0)


def test_what_is_right_passes_and_modes_are_checked():
    def recursive(x):
        return x if x < 1 else x * recursive(x - 1)

    cr.verify(recursive, 3.0)
    cr.verify(max, 1.0, 2.0)
    with pytest.raises(cr.UnsupportedArgument, match="mode='sideways'"):
        cr.verify(recursive, 3.0, mode="sideways")
