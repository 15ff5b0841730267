"""Writes what the reference pages say of the code, between two marks of each page:

    <!-- made from the code: NAME -->
    ...
    <!-- end -->

`python docs/generate.py` writes the pages, with `--check` it names those that are behind and ends with status 1. What
stands outside of the marks is written by people.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from docs.from_code import operations, plugin, rules, settings, store  # noqa: E402

MADE = re.compile(r"(?<=<!-- made from the code: )([a-z-]+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
SECTIONS = {
    **operations.SECTIONS,
    **plugin.SECTIONS,
    **rules.SECTIONS,
    **settings.SECTIONS,
    **store.SECTIONS,
}


def made(page: str) -> str:
    """The page with each of its sections made anew.

    Raises:
        KeyError: a mark that names no section.
    """
    return MADE.sub(lambda mark: f"{mark[1]}{mark[2]}\n{SECTIONS[mark[1]]().strip()}\n\n", page)


def fresh_files() -> dict[Path, str]:
    """Everything that is made, as it has to be."""
    pages = {path: made(path.read_text(encoding="utf-8")) for path in sorted(DOCS.rglob("*.md"))}
    schemas = {
        DOCS / "reference" / "schemas" / f"{name}.json": json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        for name, value in operations.schemas().items()
    }
    return pages | schemas


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(",")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and fail when something is behind")
    only_check = parser.parse_args().check
    fresh = fresh_files()
    behind = [path for path, text in fresh.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in behind:
        if only_check:
            print(f"docs: {path.relative_to(DOCS.parent)} is behind the code: run `make reference`", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(fresh[path], encoding="utf-8")
            print(f"docs: wrote {path.relative_to(DOCS.parent)}")
    return 1 if only_check and behind else 0


if __name__ == "__main__":
    sys.exit(main())
