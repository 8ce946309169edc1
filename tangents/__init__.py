"""What a derivative is: zeros, composites, thunks, indexed tangents, their addition and projection."""

if __name__ != "chainrules.tangents":
    raise ImportError("tangents is a part of chainrules: import chainrules.tangents")
