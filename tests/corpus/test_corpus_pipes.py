import os

import pytest

from pincite.corpus.ingest import read_files
from pincite.corpus.library import Library


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_named_like_a_pdf_is_reported_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.pdf")

    (read,) = read_files([tmp_path], Library(tmp_path / "library"), workers=1)

    assert "no regular file" in read.reason
