"""Parsing and compiling a text again, of which Python has warned when it was compiled first."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def quietly(make: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """What `ast.parse` or `compile` makes, also where warnings are raised: Python turns those into errors.

    Raises:  SyntaxError where the text itself is wrong.
    Example: >>> import ast
             >>> quietly(ast.unparse, quietly(ast.parse, "x = 1"))
             'x = 1'
    """
    try:
        return make(*given, **options)
    except SystemError:  # Python 3.11 counts how deep it is in trees for all threads together
        return quietly(make, *given, **options)
    except SyntaxError:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return make(*given, **options)
