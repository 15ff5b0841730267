"""What the use cases need from outside, as protocols; `chidev.wiring` chooses what implements them."""
