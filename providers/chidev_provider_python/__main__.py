"""`python -m chidev_provider_python` is `chidev provider items-python`."""

from __future__ import annotations

from chidev_provider_python.program import main

if __name__ == "__main__":
    raise SystemExit(main())
