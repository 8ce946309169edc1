"""Calls: what a call means, in both modes: a rule, a source, a protocol of Python, or a refusal."""
