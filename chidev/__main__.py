"""`python -m chidev` is the command `chidev`."""

from chidev.cli.main import main

if __name__ == "__main__":
    main()
