"""Types and unit tests of the page, with Node from its wheel: python web/test.py"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hatch_build import Node  # noqa: E402


def main() -> int:
    node = Node(ROOT / "web")
    try:
        node.install()
        node.run("typescript/bin/tsc", "--noEmit", failure="the types do not fit")
        node.run("vitest/vitest.mjs", "run", failure="unit tests of the page failed")
    except RuntimeError as error:
        sys.stderr.write(f"{str(error).splitlines()[0]}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
