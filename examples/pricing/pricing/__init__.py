"""What a shop's goods cost: rounding, discounts and carts, in whole cents."""
