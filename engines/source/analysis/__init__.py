"""Analysis: which values carry a derivative, what each statement may change, and who else may see it."""
