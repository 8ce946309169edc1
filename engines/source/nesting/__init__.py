"""Nesting: the calls of a derivative program, differentiated again."""
