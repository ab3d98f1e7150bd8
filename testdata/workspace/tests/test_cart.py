import unittest

from shop.cart import Cart


class CartTest(unittest.TestCase):
    def test_total_includes_tax(self):
        cart = Cart()
        cart.add("tea", 1000)
        self.assertEqual(cart.total(), 1190)
