"""Configuration: a TOML file, overridden by ``PINCITE_…`` variables; an unknown key is an error."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from pincite.catalogue.mapping import CatalogueMapping, JoinedTable, OemNumbers, PartColumns, Supersession
from pincite.errors import UsageError


class PriceSettings(BaseModel):
    """What a million tokens cost, in whatever currency; the same for all models."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    """Of input that the endpoint had in its cache; None: as ``input``."""


class ModelSettings(BaseModel):
    """One chat model behind an endpoint."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["openai", "azure", "anthropic"] = "openai"
    """Whose protocol the endpoint speaks; ``openai`` is also that of Ollama, vLLM, llama.cpp and many others."""
    name: str
    """The model's name, as the endpoint knows it; of Azure the name of the deployment."""
    base_url: str | None = None
    """``openai``: up to and with the version; ``azure``: of the resource; None: OpenAI's or Anthropic's own."""
    api_version: str | None = None
    """Of Azure, where the base URL does not end with ``/v1``: ``2024-10-21``."""
    api_key: SecretStr | None = None
    timeout_s: float = Field(default=60, gt=0)
    """Seconds to the first piece of a response, and between two."""
    patience_s: float = Field(default=5, ge=0)
    """Longest pause that a busy endpoint may ask for and get; above it the next model answers."""
    temperature: float | Literal["none"] = 0.0
    """``none`` for models that refuse the setting."""
    max_tokens: int | None = Field(default=None, ge=1)
    """Of one response. None: the endpoint's own limit; of Anthropic 8,000."""
    price: PriceSettings | None = None
    """None: tokens are counted, costs are not known."""

    @model_validator(mode="after")
    def _complete(self) -> ModelSettings:
        if self.kind == "azure" and not self.base_url:
            raise ValueError("azure needs the base_url of your resource: https://NAME.openai.azure.com")
        if self.kind == "azure" and not self.api_version and not (self.base_url or "").rstrip("/").endswith("/v1"):
            raise ValueError("azure needs an api_version, or a base_url that ends with /openai/v1")
        if self.api_version and self.kind != "azure":
            raise ValueError("api_version is for azure")
        if not self.base_url and not self.api_key:
            raise ValueError("name the base_url of an endpoint of yours, or the api_key of the provider's own")
        return self


class RetrievalSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    nearest: int = Field(default=500, ge=1, le=5000)
    """Candidates by meaning, of each language."""
    matching: int = Field(default=100, ge=1, le=5000)
    """Candidates by words."""
    kept: int = Field(default=40, ge=1, le=1000)
    """Candidates kept after fusion."""
    meaning: float = Field(default=3.0, ge=0)
    """What closeness in meaning counts beside words in common; what was measured stands at `retrieve.fusion.Fusion`."""
    passages: int = Field(default=10, ge=1, le=50)
    """Passages handed to the agent."""


class IndexSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    chunk_characters: int = Field(default=2000, ge=200, le=8000)
    average_length: float | None = Field(default=None, gt=0)
    """Words of a middling chunk for BM25, stopwords left out; baked into a release, so it takes effect at the next
    index run. None: the mean of what is indexed, to tens. On clauses of 40 words, 200 costs .015 recall."""
    releases_kept: int = Field(default=3, ge=1)


class StoreSettings(BaseModel):
    """Where chunks and vectors are kept: in the library (embedded engine), or on a Qdrant server."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str | None = None
    """Of a Qdrant server, with its port: ``https://qdrant.example.net:6333``. None: the embedded engine."""
    api_key: SecretStr | None = None
    insecure: bool = False
    """Whether a server on another machine may be used without key or TLS: only where the network is protected."""
    name: str = Field(default="pincite", pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$")
    """Begins the names of the library's collections, and is the alias of the published one: one for each library."""
    timeout_s: float = Field(default=30, gt=0)
    """Seconds for one request to the server."""
    quantise_from: int = Field(default=5_000, ge=1)
    """Chunks from which a release is searched by int8 copies of its vectors, the best rescored by the vectors; takes
    effect when the next release is built. Measured by benchmarks/scale.py with two parts a chunk, CPU time of the leg
    by meaning: 6.0 → 2.8 ms at 10,000 chunks, 42 → 21 ms at 100,000, the first ten the same. See docs/adr/0023."""


class EmbeddingSettings(BaseModel):
    """The model that embeds chunks and questions: the built-in one, a directory, or an endpoint.

    Another model is another release: `pincite index` embeds everything anew, and until then the old one is refused.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    directory: Path | None = None
    """With model.onnx and tokenizer.json."""
    base_url: str | None = None
    """Of an endpoint that speaks OpenAI's protocol, up to and with the version: ``http://127.0.0.1:11434/v1``."""
    name: str = ""
    """The model's name as the endpoint knows it; of a directory, what releases call it instead of the directory's."""
    api_key: SecretStr | None = None
    timeout_s: float = Field(default=60, gt=0)
    """Seconds for one request."""
    batch: int = Field(default=64, ge=1, le=2048)
    """Texts of one request."""
    at_once: int = Field(default=4, ge=1, le=64)
    """Requests under way at a time."""
    query_prefix: str = ""
    passage_prefix: str = ""
    """What the model was trained to see before a question and a passage, its space included: ``query: ``."""
    pooling: Literal["mean", "first"] = "mean"
    """Of a graph that gives token vectors: their mean, or the first one's (CLS)."""
    max_tokens: int | None = Field(default=None, ge=16, le=32_768)
    """What the model reads of one text; None: 512 of a directory, 8,191 of an endpoint. Longer texts are cut."""
    tokenizer: Path | None = None
    """The tokenizer.json of an endpoint's model; without it every byte counts as a token."""

    @model_validator(mode="after")
    def _one_model(self) -> EmbeddingSettings:
        if self.directory and self.base_url:
            raise ValueError("name a directory or a base_url, not both")
        if self.base_url and not self.name:
            raise ValueError("base_url needs the name of a model")
        if not self.directory and not self.base_url and self.model_fields_set:
            raise ValueError("name the directory or the base_url of the model that this is for")
        return self


class OcrSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    engine: Literal["auto", "rapidocr", "tesseract", "off"] = "auto"
    """Who reads pages without usable text; ``auto`` takes rapidocr where it is installed, else tesseract."""


class VisionSettings(BaseModel):
    """A model that takes pictures, behind an endpoint that speaks the OpenAI protocol: it is sent pages and figures."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    base_url: str
    api_key: SecretStr | None = None
    timeout_s: float = Field(default=60, gt=0)
    """Seconds for one picture."""


class CatalogueSettings(BaseModel):
    """A parts database that is only read: where it is, and which of its columns say what (docs/catalogue.md)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = "Parts catalogue"
    """What readers know it by."""
    url: str | None = None
    """Of the database, without a password: ``mysql://catalogue_ro@db.example.net/parts?charset=latin1``."""
    password: SecretStr | None = None
    export: Path | None = None
    """Instead of a database: the folder of a Microsoft Access export, ``TABLE.csv`` for each table."""
    timeout_s: float = Field(default=5, gt=0)
    """Seconds to connect, and for one statement; a lookup takes at most twice that."""
    part: PartColumns
    joins: tuple[JoinedTable, ...] = ()
    oem: OemNumbers | None = None
    supersession: Supersession | None = None
    in_schema: str = ""
    """Of all tables, where the database has schemas."""
    currency: str = Field(default="", pattern=r"^([A-Z]{3})?$")
    """ISO 4217, of prices without a currency of their own."""
    decimal: Literal[".", ","] = "."
    """Of numbers that the database keeps as text."""

    @model_validator(mode="after")
    def _complete(self) -> CatalogueSettings:
        if bool(self.url) == bool(self.export):
            raise ValueError("name the url of a database or the folder of an export, one of both")
        if self.part.price and not self.part.currency and not self.currency:
            raise ValueError("a price needs a currency: name its column (part.currency) or give one for all (currency)")
        return self

    def mapping(self) -> CatalogueMapping:
        return CatalogueMapping(
            part=self.part,
            joins=self.joins,
            oem=self.oem,
            supersession=self.supersession,
            in_schema=self.in_schema,
            currency=self.currency,
            decimal=self.decimal,
        )


class LimitSettings(BaseModel):
    """What one question may cost; at a limit the draft goes to a person."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tool_calls: int = Field(default=8, ge=1)
    seconds: float = Field(default=120, gt=0)
    tokens: int = Field(default=500_000, ge=1000)
    """Read and written by language models for one answer; each turn of theirs reads everything again."""
    cost: float | None = Field(default=None, gt=0)
    """Of one answer, in the currency of the models' prices; None: no limit."""
    question_characters: int = Field(default=8000, ge=100)


class Settings(BaseSettings):
    """Everything that can be configured. Variables: ``PINCITE_LIBRARY``, ``PINCITE_RETRIEVAL__MEANING`` and so on."""

    model_config = SettingsConfigDict(env_prefix="PINCITE_", env_nested_delimiter="__", extra="forbid", frozen=True)

    library: Path = Path("pincite-library")
    models: tuple[ModelSettings, ...] = ()
    """Tried in order; the built-in extractive model is always the last."""
    retrieval: RetrievalSettings = RetrievalSettings()
    index: IndexSettings = IndexSettings()
    store: StoreSettings = StoreSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    ocr: OcrSettings = OcrSettings()
    vision: VisionSettings | None = None
    """None: no picture is sent anywhere."""
    catalogue: CatalogueSettings | None = None
    """None: nothing but documents is asked."""
    limits: LimitSettings = LimitSettings()

    @model_validator(mode="after")
    def _limit_can_be_kept(self) -> Settings:
        unpriced = [model.name for model in self.models if model.price is None]
        if self.limits.cost is not None and unpriced:
            raise ValueError(f"limits.cost needs a price for every model, and {unpriced[0]} has none")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Command line over environment over file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


_FAULTS = {"extra_forbidden": "there is no such setting", "missing": "is missing"}


def load(config: Path | None, library: Path | None) -> Settings:
    """Return the settings of ``config`` (TOML; None: defaults), with the library of the command line if given.

    Raises:
        UsageError: If the file is missing, not TOML, or holds an unknown key or a bad value; the message names it.
    """

    class Configured(Settings):
        model_config = SettingsConfigDict(toml_file=config)

    if config is not None and not config.is_file():
        raise UsageError(f"there is no configuration file {config}")
    given: dict[str, Any] = {} if library is None else {"library": library}
    try:
        return Configured(**given)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{config} is not valid TOML: {error}") from error
    except ValidationError as error:
        # The value itself is never repeated: it may be a key.
        faults = "; ".join(
            f"{'.'.join(map(str, e['loc']))}: {_FAULTS.get(e['type'], e['msg'])}"
            for e in error.errors(include_input=False)
        )
        raise UsageError(f"the configuration {config or 'in the environment'} is wrong: {faults}") from error
