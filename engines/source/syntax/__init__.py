"""Syntax: trees of the user's code and small questions about them; the normal form that programs have."""
