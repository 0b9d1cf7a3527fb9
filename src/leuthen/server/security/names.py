"""Under which names the server may be addressed, and from which addresses its own pages come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import idna

from leuthen.engine.refusal import Invalid
from leuthen.server.security.request_guard import LOCAL


class HostNames(NamedTuple):
    """The hosts that a request may name (none: any, because the server is open to other machines), and the origins
    (`https://play.example.org`) under which a proxy passes requests on."""

    hosts: tuple[str, ...]
    origins: tuple[str, ...]


def names_of(host: str, public: Sequence[str]) -> HostNames:
    """The names of a server that listens at `host`. Raises Invalid for a public address that is none."""
    origins = tuple(map(origin_of, public))
    is_open = host in ("", "0.0.0.0", "::")
    if is_open and not origins:
        return HostNames((), ())
    given = tuple(name for origin in origins if (name := urlsplit(origin).hostname))
    return HostNames((*LOCAL, *given) if is_open else (*LOCAL, ascii_name("--host", host), *given), origins)


def ascii_name(option: str, host: str) -> str:
    """The name of a host as browsers send it, with `xn--` where it is not ASCII. Raises Invalid if it is none."""
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode()
    except idna.IDNAError as error:
        raise Invalid(f"{option}: «{host}» is no name of a host: {error}") from error


def origin_of(url: str) -> str:
    """The scheme, name and port of an address, as a browser tells them. Raises Invalid."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname, parts.port
    except ValueError as error:
        raise Invalid(f"--public-url {url}: {error}") from error
    if parts.scheme not in ("http", "https") or not name or parts.path.strip("/") or parts.query or parts.username:
        raise Invalid(f"--public-url {url}: must be like https://play.example.org, without a path")
    is_usual = port in (None, 443 if parts.scheme == "https" else 80)
    name = f"[{name}]" if ":" in name else ascii_name("--public-url", name)
    return f"{parts.scheme}://{name}" if is_usual else f"{parts.scheme}://{name}:{port}"
