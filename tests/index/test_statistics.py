import math

import numpy as np
import pytest

from pincite.errors import LibraryDamaged
from pincite.index.lexicon import Lexicon
from pincite.index.statistics import Counting, read_statistics

LEXICON = Lexicon(50)
TEXTS = (("A fee of 0.20 %.", "en"), ("A fee and a rebate.", "en"), ("De boete is hoog.", "nl"))


def counted(texts=TEXTS):
    counting = Counting()
    for axis, (text, language) in enumerate(texts):
        counting.add(language, LEXICON.document(text, language), np.eye(4, dtype=np.float32)[[axis % 4, axis % 4]])
    return counting.result()


def test_a_rare_word_is_worth_more_and_an_unknown_one_most():
    found = counted()

    fee, rebate, unknown = (found.rarity(LEXICON.words(word, "en")) for word in ("fee", "rebate", "zebra"))
    assert fee == pytest.approx(math.log((3 - 2 + 0.5) / (2 + 0.5) + 1))
    assert fee < rebate < unknown == pytest.approx(math.log(7))
    assert found.rarity([]) == 0


def test_pairs_of_words_are_not_counted_as_words():
    assert len(counted().words) == len({i for text, code in TEXTS for i in LEXICON.words(text, code)})


def test_they_come_back_as_they_were_written_and_damage_is_told(tmp_path):
    found, path = counted(), tmp_path / "statistics.npy"
    found.write(path)

    again = read_statistics(path)
    assert again.chunks == 3
    assert again.rarity(LEXICON.words("fee zebra", "en")) == found.rarity(LEXICON.words("fee zebra", "en"))
    assert [(g.languages, g.mean.tolist()) for g in again.groups] == [
        (g.languages, g.mean.tolist()) for g in found.groups
    ]
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(LibraryDamaged, match="pincite index"):
        read_statistics(path)
    with pytest.raises(LibraryDamaged):
        read_statistics(tmp_path / "gone")


def test_a_language_of_a_few_chunks_shares_a_group_with_others_of_its_kind():
    texts = [("A fee.", "en")] * 300 + [("Une taxe.", "fr"), ("Eine Karte.", "de")]

    assert [group.languages for group in counted(texts).groups] == [("en",), ("de", "fr")]


def test_an_empty_release_has_statistics_too(tmp_path):
    Counting().result().write(tmp_path / "empty")

    assert read_statistics(tmp_path / "empty").groups == ()
