"""What the reference says of the code: one module a page, each with its sections by name."""
