"""Declined: what is raised where a call tree has no specialised text."""

from __future__ import annotations


class Declined(Exception):
    """A call tree that has no specialised text; the ordinary program runs."""
