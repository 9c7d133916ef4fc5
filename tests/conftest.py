"""What several suites need: the embedded encoder, prepared once."""

from __future__ import annotations

import pytest

from pincite.index.embed import Encoder
from pincite.index.onnx_encoder import built_in


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return built_in()
