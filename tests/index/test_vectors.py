import numpy as np
import pytest

from pincite.corpus.library import Library
from pincite.index.embed import Encoder, Habits
from pincite.index.vectors import keep_vectors

KEY = "ab" * 32 + "-model-texts"
TEXTS = [f"fee {i}" for i in range(20)]


class Letters(Encoder):
    """Vectors from the bytes of a text; dies at a text, as a run does that is killed."""

    habits = Habits()
    model = "letters@1"
    dimension = 4

    def __init__(self, dies_at=""):
        self.dies_at, self.seen = dies_at, []

    def count(self, text):
        return len(text)

    def parts(self, text):
        return (text,)

    def _fits(self, prefixed):
        return True

    def _encode(self, texts, on_done, threads):
        if self.dies_at in texts:
            raise KeyboardInterrupt
        self.seen += texts
        for _ in texts:
            on_done()
        rows = [np.random.default_rng(list(text.encode())).normal(size=4).astype(np.float32) for text in texts]
        return np.stack([row / np.linalg.norm(row) for row in rows])


def test_a_run_that_was_killed_goes_on_with_the_part_that_it_was_at(tmp_path):
    library, done = Library(tmp_path / "killed"), []
    first = Letters(dies_at="fee 15")
    with pytest.raises(KeyboardInterrupt):
        keep_vectors(library, first, KEY, TEXTS, part=6)
    second = Letters()

    keep_vectors(library, second, KEY, TEXTS, on_text=lambda: done.append(1), part=6)

    assert first.seen + second.seen == TEXTS  # nothing twice, nothing left out
    assert len(done) == len(TEXTS)
    at_once = Library(tmp_path / "at once")
    keep_vectors(at_once, Letters(), KEY, TEXTS)
    assert np.array_equal(library.vectors(KEY), at_once.vectors(KEY))
    assert [path.name for path in (library.root / "vectors").iterdir()] == [f"{KEY}.f32"]


def test_a_document_without_chunks_has_vectors_of_the_right_length(tmp_path):
    library = Library(tmp_path)

    keep_vectors(library, Letters(), KEY, [])

    assert library.vectors(KEY).shape == (0, 4)
