"""Functions that report: loggers, warnings and files of text show values, and make nothing of them.

They are called as they are written, with the values themselves.
"""

from __future__ import annotations

import io
import logging
import warnings

from ...core import non_differentiable

_LEVELS = ("debug", "info", "warning", "error", "exception", "critical", "log")

non_differentiable(
    *(getattr(logging, name) for name in _LEVELS),
    *(getattr(logging.Logger, name) for name in _LEVELS),
    *(getattr(logging.LoggerAdapter, name) for name in _LEVELS),
    *(logging.Logger.isEnabledFor, logging.getLogger, warnings.warn),
    *(io.TextIOWrapper.write, io.TextIOWrapper.writelines, io.TextIOWrapper.flush),
    why="reports",
)
