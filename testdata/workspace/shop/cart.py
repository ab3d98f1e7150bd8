"""The shopping cart."""

from shop.money import format_cents, percent_of


class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, cents, count=1):
        self.lines.append((name, cents, count))

    def total(self):
        total = 0
        for name, cents, count in self.lines:
            total += cents * count
        return total + percent_of(total, 19)

    def receipt(self):
        rows = [f"{name} x{count}" for name, cents, count in self.lines]
        return "\n".join(rows + [format_cents(self.total())])
