"""What every request passes before a route sees it, and what every response carries.

A server on the loopback address is reachable by every page in the user's browser. Two checks keep those out: the Host
must be a loopback name (a page on a host name that was re-bound to 127.0.0.1 says its own), and a request that changes
something must come from our own page (a foreign one says so in Origin or Sec-Fetch-Site).
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

BODY_BYTES: Final = 64 * 1024
BODY_SECONDS: Final = 15.0
"""A body of this size takes a moment; whoever sends a byte now and then only holds a connection."""

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HASHED = re.compile(r"/assets/[^/]+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+")
"""Names that Vite puts a content hash into; what it copies under a fixed name is asked for again."""


def response_headers(*, wasm: bool) -> dict[str, str]:
    """Headers of every response. ``wasm``: the page has WebAssembly, as pdf.js does for JPEG 2000 and JBIG2 scans."""
    scripts = "'self' 'wasm-unsafe-eval'" if wasm else "'self'"
    policy = {
        "default-src": "'none'",
        "script-src": scripts,
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


class Guard:
    """ASGI middleware: host, origin, size and time of the body; headers of the response; faults without their trace."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        headers: Mapping[str, str],
        body_bytes: int,
        body_seconds: float,
        streamed: frozenset[str] = frozenset(),
    ) -> None:
        """``streamed``: paths whose routes read and limit the body themselves, piece by piece."""
        self._app, self._headers, self._streamed = app, headers, streamed
        self._body_bytes, self._body_seconds = body_bytes, body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        began = False

        async def send_with_headers(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                self._complete(MutableHeaders(scope=message), scope["path"])
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None and scope["method"] not in _SAFE and scope["path"] not in self._streamed:
            try:
                async with asyncio.timeout(self._body_seconds):
                    read = await self._read(receive)
            except TimeoutError:
                refusal = _refuse(408, "The request was not complete in time: send it again.")
            else:
                if isinstance(read, JSONResponse):
                    refusal = read
                else:
                    receive = _again(read, receive)
        try:
            await (refusal or self._app)(scope, receive, send_with_headers)
        except Exception:
            # Here and not in an exception handler of the application, whose response would pass by these headers.
            log.exception("%s %s failed", scope["method"], scope.get("route", "an unknown address"))
            if began:
                raise
            fault = _refuse(500, "Something went wrong inside Pincite: its log has the details.")
            await fault(scope, receive, send_with_headers)

    def _complete(self, headers: MutableHeaders, path: str) -> None:
        for name, value in self._headers.items():
            headers.setdefault(name, value)
        cached = "public, max-age=31536000, immutable" if _HASHED.fullmatch(path) else "no-cache"
        headers.setdefault("Cache-Control", "no-store" if path.startswith("/api/") else cached)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_loopback(_name(host)):
            return _refuse(
                421, "This server does not answer under that name: open it as http://127.0.0.1 or localhost."
            )
        if scope["method"] in _SAFE:
            return None
        origin = headers.get("origin")
        own = {f"http://{host}", f"https://{host}"}
        site = headers.get("sec-fetch-site", "same-origin")
        if (origin is not None and origin not in own) or site not in ("same-origin", "none"):
            return _refuse(403, "Another site may not change anything here: use Pincite's own page.")
        try:
            size = int(headers.get("content-length", "0"))
        except ValueError:
            return _refuse(400, "The Content-Length is not a number: send the request again.")
        is_short = size <= self._body_bytes or scope["path"] in self._streamed
        return None if is_short else self._too_large()

    async def _read(self, receive: Receive) -> bytes | JSONResponse:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return _refuse(400, "The request broke off: send it again.")
            body += message.get("body", b"")
            if len(body) > self._body_bytes:
                return self._too_large()
            if not message.get("more_body", False):
                return bytes(body)

    def _too_large(self) -> JSONResponse:
        return _refuse(413, f"The request is larger than {self._body_bytes // 1024} KB: send less at once.")


def _again(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives the body that was read already, then whatever comes."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _refuse(status: int, message: str) -> JSONResponse:
    return JSONResponse({"message": message}, status, {"Connection": "close"} if status in (408, 413) else None)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this computer for certain.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("::1"), is_loopback("localhost.example")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """The host without its port, in lower case.

    >>> _name("LocalHost:8000"), _name("[::1]:80"), _name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    named = re.fullmatch(r"(?:\[([^\]]*)\]|([^:]*))(?::\d*)?", host)
    return "" if named is None else (named[1] or named[2] or "").lower()
