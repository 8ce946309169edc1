"""The tape: an engine that runs a function on values that record what is done to them.

Read it in this order: value.py (what records), levels.py (whose run a call belongs to), calls.py (one
call, by its rule), reverse.py and forward.py (the two kinds of run), engine.py (the two functions that
an engine is). It is built on the registries alone; refusals.py says what it cannot see through.
"""

from .engine import TapeEngine, engine

__all__ = ["TapeEngine", "engine"]
