"""The tax of last year. Nobody imports this any more."""

RATE = 16


def tax(cents):
    return cents * RATE / 100
