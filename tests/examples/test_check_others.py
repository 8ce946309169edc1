"""The kit on JAX and PyTorch, as the example shows it: two pass, the slip is found."""

import pytest

pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")


def test_right_ones_pass_and_the_slip_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    from examples.check_others import main

    main()
    printed = capsys.readouterr().out
    assert "eigh: both modes passed" in printed
    assert "LogCosh: reverse mode passed" in printed
    assert "reverse against differences, argument 1" in printed
