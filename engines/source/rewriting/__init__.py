"""Rewriting: forms of Python written out in simpler statements, with helpers of the engine."""
