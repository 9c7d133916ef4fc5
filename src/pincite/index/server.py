"""Stores on a Qdrant server: a collection for each release, and an alias that points to the published one."""

from __future__ import annotations

import ipaddress
import json
import secrets
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pincite.errors import LibraryDamaged, StoreUnavailable, UsageError
from pincite.index.lexicon import SparseVector
from pincite.index.store import (
    BATCH,
    DENSE,
    INDEXED,
    MARKER,
    OVERSAMPLING,
    QUANTISE_FROM,
    SPARSE,
    Point,
    Ranked,
    Store,
    StoreWriter,
    Wanted,
    collection_of,
)

OLDEST = (1, 10)
"""The first version of the server that can be asked by `query_points` and keeps several vectors of a point."""
_HOW_TO_INSTALL = "install Pincite with its extra `server` (pip install 'pincite[server]')"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and how to be let in."""

    url: str
    """With the port, unless it is 6333: ``https://qdrant.example.net:443``."""
    api_key: str = field(default="", repr=False)
    """Never shown, not even in a traceback's repr."""
    insecure: bool = False
    """Whether a server on another machine may be talked to without key or TLS."""
    timeout_s: float = 30.0
    """For one request."""

    def __post_init__(self) -> None:
        """
        Raises:
            UsageError: If the URL is none, or the server is on another machine and not protected.
        """
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"[store] url {self.url!r} is not one: write it as https://qdrant.example.net:6333")
        if parts.username or parts.password:
            raise UsageError("[store] url holds a password: give the server's key as [store] api_key")
        lacking = [*([] if self.api_key else ["a key"]), *([] if parts.scheme == "https" else ["TLS"])]
        if lacking and not self.insecure and not _is_loopback(parts.hostname):
            raise UsageError(
                f"the Qdrant server at {parts.hostname} would be used without {' and '.join(lacking)}, open to whoever "
                "reaches it: set [store] api_key and an https:// url, or insecure = true if the network is protected"
            )


def connect(address: Address) -> Any:
    """Return a client of the server; nothing is sent yet.

    Raises:
        UsageError: If the client is not installed.
    """
    try:
        from qdrant_client import QdrantClient
    except ImportError as error:
        raise UsageError(f"[store] url is set, but the client is not installed: {_HOW_TO_INSTALL}") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a key travels without TLS was decided in the settings
        return QdrantClient(
            url=address.url,
            api_key=address.api_key or None,
            timeout=max(1, round(address.timeout_s)),
            check_compatibility=False,  # `ServerEngine` looks at the version, and says what to do
        )


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long a server that is busy or gone is asked again."""

    attempts: int = 6
    first_wait_s: float = 0.5
    """Doubled before each further attempt."""
    longest_wait_s: float = 30.0


class ServerEngine:
    """Keeps each store in a collection. Its directory holds nothing but the collection's name.

    A collection is removed when its directory is, by name: what others keep on the same server is never touched.
    """

    def __init__(
        self,
        client: Callable[[], Any],
        *,
        name: str = "pincite",
        quantise_from: int = QUANTISE_FROM,
        patience: Patience = Patience(),
        place: str = "",
    ) -> None:
        """
        Args:
            client: makes the client when it is first needed.
            name: begins the names of this library's collections, and is the alias of the published one.
            quantise_from: chunks from which vectors are searched by int8 copies.
            patience: with a server that is busy or gone.
            place: of the server, for messages.
        """
        self._client = cache(client)
        self._name = name
        self._quantise_from = quantise_from
        self._calls = _Calls(patience, place or "the configured address")

    def describe(self) -> str:
        version = str(self._calls.soon(self._ready().info).version)
        return f"Qdrant server {version} at {self._calls.place}, alias {self._name}"

    def create(self, directory: Path, dimension: int) -> StoreWriter:
        from qdrant_client import models

        client = self._ready()
        name = f"{self._name}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
        # The name first: whoever removes an unfinished build must know what it left on the server.
        (directory / MARKER).write_text(json.dumps({"collection": name}), encoding="utf-8")
        self._calls.patiently(
            lambda: (
                client.collection_exists(name)  # made by a first attempt whose answer was lost
                or client.create_collection(
                    name,
                    vectors_config={
                        DENSE: models.VectorParams(
                            size=dimension,
                            distance=models.Distance.COSINE,
                            multivector_config=models.MultiVectorConfig(
                                comparator=models.MultiVectorComparator.MAX_SIM
                            ),
                        )
                    },
                    sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
                )
            )
        )
        kinds = {"keyword": models.PayloadSchemaType.KEYWORD, "integer": models.PayloadSchemaType.INTEGER}
        for field_, kind in INDEXED.items():
            self._calls.patiently(lambda f=field_, k=kinds[kind]: client.create_payload_index(name, f, k, wait=True))
        return ServerWriter(client, name, self._calls, self._quantise_from)

    def open(self, directory: Path) -> Store:
        name = collection_of(directory)
        if not name:
            raise StoreUnavailable(
                "the release lies in the library, not on the Qdrant server: run `pincite index` to put it there, or "
                "take [store] url out"
            )
        client = self._ready()
        if not self._calls.soon(lambda: client.collection_exists(name)):
            raise LibraryDamaged(f"the Qdrant server has no collection {name}: run `pincite index` again")
        return ServerStore(client, name, self._calls)

    def holds(self, directory: Path) -> bool:
        name = collection_of(directory)
        client = self._ready()
        return bool(name) and bool(self._calls.patiently(lambda: client.collection_exists(name)))

    def publish(self, directory: Path) -> None:
        from qdrant_client import models

        client, name = self._ready(), collection_of(directory)
        target = models.CreateAlias(collection_name=name, alias_name=self._name)
        there = {alias.alias_name for alias in self._calls.patiently(client.get_aliases).aliases}
        removal = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self._name))
        change: list[Any] = [removal] if self._name in there else []
        # One request, so that the alias is never missing.
        self._calls.patiently(
            lambda: client.update_collection_aliases([*change, models.CreateAliasOperation(create_alias=target)])
        )

    def drop(self, directory: Path) -> None:
        name = collection_of(directory)
        if name:
            client = self._ready()
            self._calls.patiently(lambda: not client.collection_exists(name) or client.delete_collection(name))

    def _ready(self) -> Any:
        """Return the client of a server that can do what is asked of it."""
        client = self._client()
        version = str(self._calls.soon(client.info).version)
        numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
        if len(numbers) == 2 and numbers < OLDEST:
            raise StoreUnavailable(
                f"the Qdrant server is version {version}, which lacks what is asked of it: "
                f"{OLDEST[0]}.{OLDEST[1]} or a newer one is needed"
            )
        return client


class ServerWriter(StoreWriter):
    """One collection that is being filled."""

    def __init__(self, client: Any, name: str, calls: _Calls, quantise_from: int) -> None:
        self._client, self._name, self._calls = client, name, calls
        self._quantise_from = quantise_from
        self._written = 0

    def finish(self) -> None:
        from qdrant_client import models

        count = _count(self._client, self._name, self._calls)
        if count != self._written:
            raise StoreUnavailable(f"the Qdrant server holds {count} of {self._written} chunks: run the index again")
        if count >= self._quantise_from:
            scalar = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
            self._calls.patiently(
                lambda: self._client.update_collection(
                    self._name, quantization_config=models.ScalarQuantization(scalar=scalar)
                )
            )

    def abandon(self) -> None:
        pass  # the client belongs to the engine, and what is on the server goes with the directory

    def _upsert(self, points: list[Point]) -> None:
        from qdrant_client import models

        made = [
            models.PointStruct(
                id=point.id, vector={DENSE: point.dense, SPARSE: _words(point.sparse)}, payload=point.payload
            )
            for point in points
        ]
        # Ids are given, so that a batch that is sent twice is stored once.
        self._calls.patiently(lambda: self._client.upsert(self._name, made, wait=True))
        self._written += len(points)


class ServerStore(Store):
    """One collection, for reading."""

    def __init__(self, client: Any, name: str, calls: _Calls) -> None:
        self._client, self._name, self._calls = client, name, calls

    def count(self) -> int:
        return _count(self._client, self._name, self._calls)

    def close(self) -> None:
        pass  # the client belongs to the engine, and the points are on the server

    def _query(self, vector: list[float] | SparseVector, using: str, wanted: Wanted, limit: int) -> list[Ranked]:
        from qdrant_client import models

        rescored = models.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
        query: Any = _words(vector) if isinstance(vector, SparseVector) else [vector]
        found = self._calls.soon(
            lambda: self._client.query_points(
                self._name,
                query=query,
                using=using,
                query_filter=_filter(wanted),
                search_params=models.SearchParams(quantization=rescored),
                limit=limit,
                with_payload=False,
            )
        )
        return [Ranked(int(point.id), float(point.score)) for point in found.points]

    def _payloads(self, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
        records = self._calls.soon(lambda: self._client.retrieve(self._name, list(ids), with_payload=True))
        return {int(record.id): record.payload for record in records}

    def _scroll(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        filter_ = _filter(wanted)

        def page(after: Any) -> Any:
            return self._client.scroll(self._name, scroll_filter=filter_, limit=BATCH, offset=after, with_payload=True)

        offset: Any = None
        while True:
            records, offset = self._calls.soon(partial(page, offset))
            for record in records:
                yield record.payload
            if offset is None:
                return


def _count(client: Any, name: str, calls: _Calls) -> int:
    return int(calls.patiently(lambda: client.count(name, exact=True)).count)


class _Calls:
    """Calls to a server: again when it is busy or gone, its refusals as errors that say what to do."""

    def __init__(self, patience: Patience, place: str) -> None:
        self._patience = patience
        self.place = place

    def patiently(self, call: Callable[[], _T]) -> _T:
        """Call until the server's answer is there, or patience ends."""
        return self._try(call, self._patience.attempts)

    def soon(self, call: Callable[[], _T]) -> _T:
        """Call at most twice: somebody waits for the answer."""
        return self._try(call, 2)

    def _try(self, call: Callable[[], _T], attempts: int) -> _T:
        from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
        from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

        wait_s = self._patience.first_wait_s
        for attempt in range(1, attempts + 1):
            asked_s = 0.0
            try:
                return call()
            except ResourceExhaustedResponse as error:
                cause, failure = "is busy", error
                asked_s = float(getattr(error, "retry_after_s", 0) or 0)
            except ResponseHandlingException as error:
                cause, failure = f"cannot be reached ({type(error.source).__name__})", error
            except UnexpectedResponse as error:
                status = error.status_code or 0
                if status in (401, 403):
                    raise StoreUnavailable(
                        f"the Qdrant server at {self.place} refuses the key (HTTP {status}): check [store] api_key"
                    ) from error
                if status < 500 and status not in (408, 429):
                    raise StoreUnavailable(
                        f"the Qdrant server at {self.place} refuses a request (HTTP {status}): {_said(error)}"
                    ) from error
                cause, failure = f"fails (HTTP {status})", error
            if attempt == attempts:
                raise StoreUnavailable(
                    f"the Qdrant server at {self.place} {cause}: see whether it runs, and try again"
                ) from failure
            time.sleep(min(max(wait_s, asked_s), self._patience.longest_wait_s))
            wait_s *= 2
        raise AssertionError("unreachable: the last attempt returns or raises")


def _said(error: Any) -> str:
    """Return what a server says of a refusal, without full stop."""
    try:
        return str(json.loads(error.content)["status"]["error"])[:200].rstrip(".")
    except (ValueError, LookupError, TypeError):
        return error.reason_phrase or "without a reason"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _words(words: SparseVector) -> Any:
    from qdrant_client import models

    return models.SparseVector(indices=list(words.indices), values=list(words.values))


def _filter(wanted: Wanted) -> Any:
    from qdrant_client import models

    conditions: list[Any] = [
        models.FieldCondition(key=key, match=models.MatchAny(any=values)) for key, values in wanted.items()
    ]
    return models.Filter(must=conditions) if conditions else None
