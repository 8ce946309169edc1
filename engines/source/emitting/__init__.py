"""Emitting: active statements become simple ones, and those become the text of a derivative program."""
