"""`python -m chidev` is the command `chidev`."""

from chidev.cli.main import entry

if __name__ == "__main__":
    entry()
