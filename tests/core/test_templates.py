"""Templates: their text, when it may be used, and that it is held against the partial."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.core.templates import Template
from chainrules.testing.case import CheckError


def test_the_text_and_what_must_hold() -> None:
    quotient = Template("{y_bar} / {1}", holds="{1}")
    assert quotient.text([None, None], False) == ("{y_bar} / {1}", "{1}")
    assert Template("{y_bar}", numbers=True).text([None], True) is None
    assert Template("{y_bar}", numbers=True).text([None], False) == ("{y_bar}", "")


def test_a_text_that_is_made_of_what_is_written_out() -> None:
    square = Template(made=lambda literals, arrays: "2.0 * {0} * {y_bar}" if literals[1] == 2 else None)
    assert square.text([None, 2], True) == ("2.0 * {0} * {y_bar}", "")
    assert square.text([None, 3], True) is None


def test_a_wrong_template_is_found() -> None:
    def softened(x):
        return np.sqrt(x * x + 1.0)

    cr.scalar_rule(softened, lambda y, x: x / y, templates=(Template("{y_bar} * {0}"),))
    with pytest.raises(CheckError, match="template"):
        cr.testing.check_rule(softened, 0.7)


def test_a_template_is_what_a_program_computes() -> None:
    def root(x):
        return np.sqrt(x * x + 1.0)

    cr.scalar_rule(root, lambda y, x: x / y, templates=(Template("{y_bar} * ({0} / {y})"),))
    cr.testing.check_rule(root, 0.7)
    gradient = cr.grad(lambda x: np.sum(root(x) ** 2))
    for _ in range(5):  # the last of them run the text
        assert np.allclose(gradient(np.array([0.5, -2.0])), [1.0, -4.0])
