from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.layout import COMMON_WORDS, garbled, known_words
from pincite.corpus.textlayer import FARTHEST, moved, unlikely

WORDS = st.one_of(st.sampled_from(sorted(COMMON_WORDS)), st.text("abcdeijklrsuvwxyz.,", min_size=1, max_size=9))
CASES = st.sampled_from([str, str.upper, str.capitalize])


def shifted(word, step):
    return "".join(chr(max(ord(c) + step, 0)) for c in word)


def moved_by_trying_all(words):
    known = known_words(words)
    if len(words) < 5 or known * 8 >= len(words):
        return ""
    for places in range(1, FARTHEST + 1):
        for step in (places, -places):
            tried = [shifted(word, step) for word in words if len(word) > 1]
            different = len({word.lower() for word in tried} & COMMON_WORDS)
            if different > 1 and known_words(tried) >= max(3, len(words) / 8, 3 * known):
                return f"every letter is moved by {places} places (broken font map)"
    return ""


@given(
    st.lists(st.builds(lambda word, case: case(word), WORDS, CASES), max_size=25), st.integers(-FARTHEST, FARTHEST + 1)
)
def test_a_font_map_that_moves_letters_is_found_as_if_every_move_were_tried_on_every_word(words, step):
    printed = [shifted(word, step) for word in words]

    assert moved(printed) == moved_by_trying_all(printed)


def test_a_table_of_abbreviations_is_asked_about_and_not_called_rubbish():
    words = ["Wtrdruk", "klasse", "Volgnr", "gebrksfunctie", "binnrmte", "techn", "ventltie"] * 12

    assert garbled(words) == ""
    assert unlikely(words)
    assert garbled(["xkcd", "Wtrdrk", "qzzpr", "hfrstlk", "mnbvcx", "brtgd"] * 15)
