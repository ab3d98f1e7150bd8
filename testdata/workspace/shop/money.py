"""Amounts of money, in cents."""


def format_cents(cents):
    """Return cents as text, such as 12.30."""
    return "%d.%02d" % (cents / 100, cents % 100)


def percent_of(cents, percent):
    return cents * percent / 100
