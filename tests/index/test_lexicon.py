from hypothesis import given
from hypothesis import strategies as st

from pincite.index.lexicon import ALIKE_WEIGHT, Lexicon, SparseVector

LEXICON = Lexicon(60)
TEXTS = st.text(st.sampled_from("ab1 .-\n\u00e9\u00b3"), max_size=60)


def score(question, text, language="en", languages=("en", "nl", "de", "fr")):
    """What the engine adds up, without the inverse document frequencies."""
    asked, stored = LEXICON.question(question, languages), LEXICON.document(text, language)
    weights = dict(zip(stored.indices, stored.values, strict=True))
    return sum(value * weights.get(i, 0.0) for i, value in zip(asked.indices, asked.values, strict=True))


def test_singular_and_plural_share_a_word_in_the_language_of_the_chunk():
    lexicon = Lexicon(200)
    stored = lexicon.document("De pompen hebben een waaierdiameter van 210 mm.", "nl")
    asked = lexicon.question("pomp", ["nl", "en"])

    assert set(stored.indices) & set(asked.indices)


def test_a_code_is_found_whatever_the_language_of_its_chunk():
    lexicon = Lexicon(200)
    asked = set(lexicon.question("TRX-0042", ["en", "nl", "de", "fr"]).indices)

    for language in ("en", "nl", "de", "fr", "xx"):
        assert (
            len(asked & set(lexicon.document("Field TRX-0042 carries the amount.", language).indices)) == 3
        )  # both words and the pair


def test_a_figure_is_not_one_of_the_same_digits_in_another_order():
    assert score("12.50", "at least 12.50 bar") > score("12.50", "50 pumps, 12 valves")
    assert score("12.50", "at least 12.50 bar") > 2 * score("12.50", "at least 12.05 bar")


def test_a_code_is_found_whole_before_its_parts_and_by_its_parts_at_all():
    whole, parts = "message pacs.008.001.08 carries it", "pacs.008.001.09 came after 08, as did 001.07 and 008"

    assert score("pacs.008.001.08", whole) > score("pacs.008.001.08", parts) > 0
    assert score("CRN 32-3", "the CRN 32-3 of 2019") > score("CRN 32-3", "32 CRN pumps of size 3")


def test_words_side_by_side_weigh_more_than_the_same_words_apart():
    together, apart = "the security strength of a key", "the strength of a lock, the security of a key"

    assert score("security strength", together) > score("security strength", apart)


@given(TEXTS, st.sampled_from(["en", "nl", "de", "fr", "xx"]))
def test_a_text_matches_itself_and_its_vector_is_in_order(text, language):
    stored = LEXICON.document(text, language)

    assert list(stored.indices) == sorted(set(stored.indices))
    assert all(0 <= i < 1 << 32 for i in stored.indices)
    assert all(value > 0 for value in stored.values)
    assert set(LEXICON.question(text, [language]).indices) >= set(stored.indices)


@given(TEXTS)
def test_more_languages_never_take_a_word_away(text):
    one, all_ = LEXICON.question(text, ["en"]), LEXICON.question(text, ["en", "nl", "de", "fr"])

    assert set(one.indices) <= set(all_.indices)


def test_a_text_without_words_has_an_empty_vector():
    assert LEXICON.document("… — §", "en") == SparseVector((), ())


def test_what_says_the_same_is_searched_beside_the_words_of_a_question():
    lexicon = Lexicon(60.0)
    english = lexicon.words("refrigerator", "en")
    asked = lexicon.question("Mag ik met een koelkast betalen?", ["en", "nl"])

    assert english <= set(asked.indices)
    assert lexicon.words("koelkast", "nl") <= set(asked.indices)


def test_one_word_said_in_many_ways_does_not_count_as_many_words():
    lexicon = Lexicon(60.0)
    own = lexicon.words("vergoeding", "nl")
    asked = lexicon.question("Wat is de vergoeding?", ["en", "nl"])
    others = [weight for index, weight in zip(asked.indices, asked.values, strict=True) if index not in own]

    assert others
    assert max(others) < ALIKE_WEIGHT


def test_names_and_codes_bring_no_other_words():
    lexicon = Lexicon(60.0)

    assert set(lexicon.question("TRX-0042", ["en"]).indices) == set(lexicon.document("TRX-0042", "en").indices)
