"""Encoders from a directory: small graphs made here, each with what a real one may bring along."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers

from pincite.build import House
from pincite.errors import ModelError, UsageError, WrongModel
from pincite.index.embed import Habits
from pincite.index.onnx_encoder import OnnxEncoder
from pincite.settings import EmbeddingSettings, Settings, load

WORDS = ("[UNK]", "fee", "pump", "head", "query:", "passage:")
TABLE = np.array([[1, 1, 1], [3, 0, 0], [0, 2, 0], [0, 0, 4], [1, 0, 1], [0, 1, 1]], np.float32)


def write_tokenizer(directory, *, truncated=False):
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if truncated:
        tokenizer.enable_truncation(2)
        tokenizer.enable_padding(length=8)
    tokenizer.save(str(directory / "tokenizer.json"))


def write_graph(directory, *, pooled=False, positions=0, inputs=("input_ids", "attention_mask"), table=TABLE):
    constants = [numpy_helper.from_array(table, "table")]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["words"])]
    tokens = "words"
    if positions:  # as learnt positions: a longer text fails at run time, with an error of the run-time's own
        constants.append(numpy_helper.from_array(np.zeros((positions, 3), np.float32), "positions"))
        constants.append(numpy_helper.from_array(np.array([1], np.int64), "axis"))
        constants += [numpy_helper.from_array(np.array([x], np.int64), n) for x, n in ((0, "zero"),)]
        nodes += [
            helper.make_node("Shape", ["input_ids"], ["length"], start=1, end=2),
            helper.make_node("Slice", ["positions", "zero", "length", "zero"], ["some"]),
            helper.make_node("Add", ["words", "some"], ["placed"]),
        ]
        tokens = "placed"
    nodes.append(helper.make_node("Identity", [tokens], ["last_hidden_state"]))
    outputs = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", 3])]
    if pooled:
        constants.append(numpy_helper.from_array(np.array([1], np.int64), "over_tokens"))
        nodes.append(helper.make_node("ReduceMax", [tokens, "over_tokens"], ["sentence_embedding"], keepdims=0))
        outputs.append(helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", 3]))
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
    graph = helper.make_graph(nodes, "small", given, outputs, constants)
    onnx.save(
        helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 21)]),
        str(directory / "model.onnx"),
    )


@pytest.fixture
def directory(tmp_path):
    write_tokenizer(tmp_path)
    write_graph(tmp_path)
    return tmp_path


def vector(encoder, text):
    return encoder.passages([text])[0].tolist()


def test_the_dimension_is_the_one_that_the_graph_gives(directory):
    encoder = OnnxEncoder(directory)

    assert encoder.dimension == 3
    assert encoder.passages([]).shape == (0, 3)


def test_token_vectors_are_pooled_as_configured(directory):
    assert vector(OnnxEncoder(directory), "fee pump") == pytest.approx([3 / 13**0.5, 2 / 13**0.5, 0])
    assert vector(OnnxEncoder(directory, pooling="first"), "fee pump") == pytest.approx([1, 0, 0])


def test_a_graph_that_pools_itself_is_taken_at_its_word(tmp_path):
    write_tokenizer(tmp_path)
    write_graph(tmp_path, pooled=True)

    assert vector(OnnxEncoder(tmp_path), "fee head") == pytest.approx([3 / 5, 0, 4 / 5])


def test_prefixes_tell_questions_from_passages(directory):
    encoder = OnnxEncoder(directory, Habits("query: ", "passage: "), pooling="first")

    assert encoder.query("fee").tolist() == pytest.approx([0.5**0.5, 0, 0.5**0.5])
    assert vector(encoder, "fee") == pytest.approx([0, 0.5**0.5, 0.5**0.5])


def test_a_tokenizer_that_would_cut_or_pad_texts_does_neither(tmp_path):
    write_tokenizer(tmp_path, truncated=True)
    write_graph(tmp_path)
    encoder = OnnxEncoder(tmp_path)

    assert vector(encoder, "fee fee pump") == pytest.approx([6 / 40**0.5, 2 / 40**0.5, 0])
    assert encoder.count("fee fee fee") == 3


def test_a_text_is_cut_to_what_the_model_reads_and_every_part_fits(directory):
    encoder = OnnxEncoder(directory, Habits("query: ", "passage: ", max_tokens=16))

    parts = encoder.parts(" ".join(["fee", "pump", "head"] * 20))

    assert " ".join(parts).split() == ["fee", "pump", "head"] * 20
    assert all(encoder.fits(part) for part in parts)
    assert not encoder.fits("fee " * 16)


def test_more_tokens_than_the_graph_can_read_are_refused_at_the_start(tmp_path):
    write_tokenizer(tmp_path)
    write_graph(tmp_path, positions=32)

    OnnxEncoder(tmp_path, Habits(max_tokens=32))
    with pytest.raises(ModelError, match="max_tokens"):
        OnnxEncoder(tmp_path, Habits(max_tokens=33))


def test_a_model_is_another_one_when_its_bytes_or_habits_are(directory, tmp_path):
    first = OnnxEncoder(directory, name="small").model
    other_prefix = OnnxEncoder(directory, Habits("query: "), name="small").model
    other_pooling = OnnxEncoder(directory, pooling="first", name="small").model
    write_graph(directory, table=TABLE + np.float32(1e-6))
    other_weights = OnnxEncoder(directory, name="small").model

    assert len({first, other_prefix, other_pooling, other_weights}) == 4
    assert all(model.startswith("small@") for model in (first, other_weights))


def test_a_directory_that_is_no_model_says_what_is_missing(tmp_path):
    with pytest.raises(ModelError, match=r"model\.onnx is missing"):
        OnnxEncoder(tmp_path)
    write_tokenizer(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"not a graph")
    with pytest.raises(ModelError, match="cannot be loaded"):
        OnnxEncoder(tmp_path)


def test_a_graph_that_wants_other_things_than_text_is_refused(tmp_path):
    write_tokenizer(tmp_path)
    write_graph(tmp_path, inputs=("input_ids", "pixel_values"))

    with pytest.raises(ModelError, match="no text encoder"):
        OnnxEncoder(tmp_path)


def test_a_library_is_indexed_with_the_configured_directory_and_refused_with_another(directory, tmp_path):
    file = tmp_path / "passages.jsonl"
    file.write_text(
        "\n".join(json.dumps({"id": w, "document": "d", "section": "", "text": w}) for w in ("fee", "pump"))
    )

    def house(**embedding):
        return House(
            Settings(library=tmp_path / "library", embedding=EmbeddingSettings(directory=directory, **embedding))
        )

    house().indexer().index_passages(file)

    retriever = house().retriever()
    assert [p.id for p in retriever.search("pump", mode="dense", k=1)] == ["pump"]
    retriever.close()
    with pytest.raises(WrongModel, match="configure the model"):
        house(query_prefix="query: ").retriever()
    assert house(query_prefix="query: ").indexer().index_passages(file).published


@pytest.mark.parametrize(
    "embedding",
    [{"name": "m"}, {"base_url": "http://127.0.0.1/v1"}, {"directory": "m", "base_url": "http://h/v1", "name": "m"}],
)
def test_a_model_that_is_half_configured_is_refused(embedding, tmp_path):
    config = tmp_path / "pincite.toml"
    config.write_text("[embedding]\n" + "".join(f'{key} = "{value}"\n' for key, value in embedding.items()))

    with pytest.raises(UsageError, match="embedding"):
        load(config, None)
