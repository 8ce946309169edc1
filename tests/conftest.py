"""Hypothesis for the whole suite: the same examples on every run, and no deadline on a busy machine."""

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
