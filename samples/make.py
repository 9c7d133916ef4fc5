"""Make the documents of the sample library that are our own: ``python samples/make.py``.

Writes samples/pdf (the demo library) and samples/hostile (fixtures for tests) beside this file, or below the directory
given. Same versions of reportlab and pikepdf, same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import acceptance  # noqa: E402
import datasheets  # noqa: E402
import fees  # noqa: E402
import hostile  # noqa: E402
import messages  # noqa: E402

DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "farrowmere-acceptance-devices-rev5.pdf": acceptance.build,
    "farrowmere-fees-rev2.pdf": lambda: fees.build(2),
    "farrowmere-fees-rev3.pdf": lambda: fees.build(3),
    "farrowmere-messages-rev7.pdf": messages.build,
    **datasheets.DOCUMENTS,
}


def make(root: Path) -> list[Path]:
    """Write every made document below ``root``; returns the paths written, in order."""
    written: list[Path] = []
    for folder, documents in (("pdf", DOCUMENTS), ("hostile", hostile.DOCUMENTS)):
        (root / folder).mkdir(parents=True, exist_ok=True)
        for name, build in documents.items():
            path = root / folder / name
            path.write_bytes(build())
            written.append(path)
    notes = root / "hostile" / "plants.json"
    notes.write_text(hostile.records(), "utf-8")
    return [*written, notes]


if __name__ == "__main__":
    for made in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE):
        print(f"{made.stat().st_size:>9,}  {made.name}")
