"""Telling: what a function prints, or puts into a list from outside, after its text could be given up.

    print(f"{k}: {loss:.3f}")        told = []; …; told.append((print, ("%s: %s" % …,))); …; tell(told)

What is printed is made where the function prints, as numbers and arrays are then. What is logged is
evaluated, and the run is given up where somebody listens.
"""

from __future__ import annotations

import ast
import functools
import logging
from collections.abc import Callable
from typing import Any

from .declined import Declined
from .reader import Reader
from .steps import Step
from .wording import in_form

_LEVELS = {
    **{"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR},
    **{"critical": logging.CRITICAL, "exception": logging.ERROR},
}
_LOGGERS = (logging.Logger, logging.RootLogger)


class Interrupted(Exception):
    """An error that was raised while something was told: it is the user's, and nothing is done again."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class Telling(Reader):
    """Reads calls for what they tell."""

    def told(self, e: ast.Call, out: list[Step]) -> bool:
        """The steps of a call that prints, logs or appends to a list from outside; False of any other."""
        if self.constant(e.func) is print:
            self._printed(e, out)
            return True
        owner = self.constant(e.func.value) if isinstance(e.func, ast.Attribute) else None
        if not isinstance(e.func, ast.Attribute) or any(isinstance(a, ast.Starred) for a in e.args):
            return False
        if (owner is logging or type(owner) in _LOGGERS) and e.func.attr in _LEVELS:
            self._logged(e, owner, out)
            return True
        if type(owner) is not list or e.func.attr != "append" or len(e.args) != 1 or e.keywords:
            return False
        self._hold_told()
        self.same[self.spelled(e.func.value)] = owner
        out.append(Step("tell", "", (self.value(e.args[0], out),), e.lineno, facts={"tells": owner.append}))
        return True

    def _printed(self, e: ast.Call, out: list[Step]) -> None:
        self._hold_told()
        self.value(e.func, out)  # so that it is held to be the same later
        words = {str(k.arg): k.value.value for k in e.keywords if isinstance(k.value, ast.Constant)}
        if len(words) < len(e.keywords) or words.keys() - {"sep", "end", "flush"}:
            raise Declined("print with something else than constants")
        args = tuple(
            self.value(a, out)
            if isinstance(a, ast.Constant | ast.JoinedStr)
            else self._helped(in_form, (self.value(a, out), "='s'", "=''"), a, out)
            for a in e.args
        )
        printing: Any = functools.partial(print, **words) if words else print
        out.append(Step("tell", "", args, e.lineno, facts={"tells": printing}))

    def _logged(self, e: ast.Call, owner: Any, out: list[Step]) -> None:
        self.same[self.spelled(e.func.value)] = owner  # type: ignore[attr-defined]  # a method's
        for a in (*e.args, *(k.value for k in e.keywords)):
            self.value(a, out)
        logger = logging.root if owner is logging else owner
        hears = functools.partial(_hears, logger, _LEVELS[e.func.attr])  # type: ignore[attr-defined]
        out.append(Step("tell", "", (), e.lineno, facts={"unless": hears}))

    def _hold_told(self) -> None:
        """Declined where the text is not one that tells."""
        if not self.manner.tells:
            raise Declined("something that is told")


def _hears(logger: logging.Logger, level: int) -> bool:
    """Whether a message of this level goes anywhere; the first one of all makes a handler."""
    return (logger is logging.root and not logger.handlers) or logger.isEnabledFor(level)


def tell(told: list[tuple[Callable[..., Any], tuple[Any, ...]]]) -> None:
    """Say what was kept while a text ran, in its order."""
    try:
        for f, args in told:
            f(*args)
    except Exception as error:
        raise Interrupted(error) from error
