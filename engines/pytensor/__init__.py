"""PyTensor: our rules as its operations. It is imported when `to_pytensor` is called."""
