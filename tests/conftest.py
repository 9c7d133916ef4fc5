"""What several suites need: the embedded encoder, prepared once."""

from __future__ import annotations

import pytest

from pincite.index.embed import Encoder, prepare


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return Encoder(prepare())
