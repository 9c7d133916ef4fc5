import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import ModelError
from pincite.index import embed, onnx_encoder, weights
from pincite.index.onnx_encoder import built_in, prepare

FEE = "A domestic purchase costs 0.20 % of the amount, at least EUR 0.05."


def test_a_vector_depends_on_nothing_but_its_text(encoder):
    alone = encoder.passages([FEE])
    among = encoder.passages(["De pomp levert 20 m³/h.", FEE, "x" * 200], threads=2)

    assert alone.shape == (1, encoder.dimension)
    assert np.array_equal(alone[0], among[1])
    assert np.linalg.norm(alone[0]) == pytest.approx(1, abs=1e-5)


def test_a_question_in_dutch_is_closest_to_the_english_passage_that_answers_it(encoder):
    texts = [FEE, "A refrigerator is an accepted device.", "The response code 51 means insufficient funds."]

    closeness = encoder.similarity("Is een koelkast een toegelaten apparaat?", texts)

    assert closeness.index(max(closeness)) == 1


def test_a_text_that_does_not_fit_is_refused_not_truncated(encoder):
    long = "waaierdiameter " * 600

    assert not encoder.fits(long)
    with pytest.raises(ValueError, match="does not fit"):
        encoder.passages([long])


def test_the_end_of_a_long_pasted_question_counts(encoder):
    mail = "Dear team, thank you for the pleasant meeting of last week. " * 120
    tail = "What does a domestic purchase cost?"

    with_tail = encoder.query(mail + tail)

    assert float(with_tail @ encoder.query(mail)) < 0.9999


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=3000))
def test_any_text_at_all_can_be_a_question(encoder, text):
    vector = encoder.query(text)

    assert vector.shape == (encoder.dimension,)
    assert np.isfinite(vector).all()


def test_an_encoder_that_computes_other_vectors_is_refused(monkeypatch):
    monkeypatch.setattr(
        onnx_encoder, "_PROBE_COSINES", (0.5, 0.5, 0.5)
    )  # as on a processor whose int8 products saturate

    with pytest.raises(ModelError, match="wrong vectors"):
        built_in()


def test_weights_with_other_bytes_are_refused(monkeypatch):
    monkeypatch.setattr(weights, "WEIGHTS_SHA256", "0" * 64)

    with pytest.raises(ModelError, match="not the pinned model"):
        weights.find_weights()


def test_a_damaged_model_in_the_cache_is_made_again(tmp_path):
    directory = prepare(tmp_path)
    model = directory / "model.onnx"
    whole = model.read_bytes()
    model.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))

    assert prepare(tmp_path) == directory
    assert model.read_bytes() == whole


def test_what_was_compared_of_late_is_not_encoded_again_and_is_as_close_as_before(encoder, monkeypatch):
    texts = ["A refund costs 0.05 %.", "Een koelkast mag betalen.", "A refund costs 0.05 %."]
    before = encoder.similarity("What does a refund cost?", texts)
    encoded = []
    encode = type(encoder)._encode
    monkeypatch.setattr(type(encoder), "_encode", lambda self, t, *rest: encoded.extend(t) or encode(self, t, *rest))

    again = encoder.similarity("What does a refund cost?", [*texts, "Something new."])

    assert again[:3] == pytest.approx(before) and before[0] == pytest.approx(before[2])
    assert [text.removeprefix(encoder.habits.passage_prefix) for text in encoded] == ["Something new."]


def test_only_so_many_vectors_are_remembered(monkeypatch):
    monkeypatch.setattr(embed, "_REMEMBERED", 2)
    remembered = embed._Remembered()
    for name in "abc":
        remembered.put({name: np.ones(2, np.float32)})

    assert set(remembered.get("abc")) == {"b", "c"}
