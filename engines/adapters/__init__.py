"""What the adapters to other engines share: the doors, functions of arrays, stand-ins, foreign functions."""
