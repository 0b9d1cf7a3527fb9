"""Test the shipped nginx configuration before a real server: `python -m tests.server.behind_nginx`. It needs nginx.

Pages over plain HTTP redirect to HTTPS, the API does not; no response names a version of nginx.

A game is created over TLS, a stream sends an order immediately, metrics are not exposed, a forged client address is
ignored, and a record of two megabytes is accepted.
"""

import os
import shutil
import socket
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server.harness import free_port
from tools.serving import Served

TEMPLATE = Path(__file__).parents[2] / "deploy" / "nginx.conf.template"
NAME = "games.example.org"


def certify(folder: Path) -> None:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
    signed = made.sign(key, hashes.SHA256())
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "privkey.pem").write_bytes(private)


def settings(folder: Path, server: int, port: int, plain: int) -> Path:
    text = TEMPLATE.read_text(encoding="utf-8").replace("${LEUTHEN_NAME}", NAME)
    for old, new in (
        ("server one:8756", f"server 127.0.0.1:{server}"),
        ("server two:8756", f"server localhost:{server}"),
        ("/etc/nginx/certificates", str(folder)),
        ("listen 8080;", f"listen 127.0.0.1:{plain};"),
        ("listen 8443 ", f"listen 127.0.0.1:{port} "),
    ):
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "nginx.conf"
    head = f"pid {folder}/pid; error_log {folder}/error.log; daemon off; events {{}}"
    path.write_text(f"{head}\nhttp {{ access_log off; client_body_temp_path {folder}/body;\n{text}}}\n")
    return path


class Line:
    def __init__(self, port: int, folder: Path) -> None:
        context = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
        self._line = HTTPSConnection(NAME, port, timeout=30, context=context)
        raw = socket.create_connection(("127.0.0.1", port), 30)
        self._line.sock = context.wrap_socket(raw, server_hostname=NAME)
        self.cookie = ""

    def ask(self, method: str, path: str, body: object = None, kind: str = "application/json", **more: str) -> Any:
        data = body if isinstance(body, bytes) else None if body is None else msgspec.json.encode(body)
        headers = {"Host": NAME, "Content-Type": kind, "Cookie": self.cookie, **more}
        self._line.request(method, path, data, headers)
        answer = self._line.getresponse()
        if cookie := answer.headers.get("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        return answer

    def json(self, method: str, path: str, body: object = None) -> Any:
        answer = self.ask(method, path, body)
        assert answer.status < 300, (answer.status, answer.read())
        return msgspec.json.decode(answer.read())


def play(port: int, folder: Path, server: Served) -> None:
    line = Line(port, folder)
    made = line.json("POST", "/api/games", {"players": ["me", "me"]})
    assert line.cookie.startswith("__Host-leuthen="), "the game was created over TLS"
    base = f"/api/seats/{made['seats'][0]['seat']}"
    second = Line(port, folder)
    second.cookie = line.cookie
    stream = second.ask("GET", f"{base}/stream")
    assert b"event: fresh" in until(stream, b"event: fresh")
    snapshot = line.json("GET", base)
    line.json("POST", f"{base}/moves", {"seen": snapshot["n"], "key": "behind-a-proxy", "do": "resign"})
    assert b"event: news" in until(stream, b"resigns"), "sent at once while the stream stays open"
    assert line.ask("GET", "/metrics").read().find(b"leuthen_") < 0
    refused = line.ask("POST", "/api/take", {"secret": "x" * 24}, **{"X-Forwarded-For": "203.0.113.9"})
    refused.read()
    assert not any("203.0.113.9" in line for line in server.said), "a forged client address is ignored"
    big = line.ask("POST", "/api/import", b"x" * (2 * 1024**2 - 1), "text/plain")
    assert big.status == 400, (big.status, big.read())


def check_plain_http(plain: int) -> None:
    for path, status in (("/", 301), ("/seat", 301), ("/api/home", 403), ("/api/take", 403)):
        line = HTTPConnection("127.0.0.1", plain, timeout=30)
        line.request("GET", path, headers={"Host": NAME})
        answer = line.getresponse()
        assert (answer.status, answer.headers["Server"]) == (status, "nginx"), (path, answer.status, answer.headers)
        assert b"nginx/" not in answer.read()
        line.close()


def until(stream: Any, what: bytes) -> bytes:
    received = b""
    while what not in received:
        part = stream.read1()
        assert part, received[-300:]
        received += part
    return received


def main() -> int:
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        print("nginx is not installed (on Debian and Ubuntu: apt install nginx)")
        return 1
    with TemporaryDirectory() as name:
        folder, port, plain = Path(name), free_port(), free_port()
        folder.chmod(0o755)
        certify(folder)
        with Served(folder / "data", "--public-url", f"https://{NAME}", "--log") as server:
            path = settings(folder, int(server.url.rpartition(":")[2]), port, plain)
            subprocess.run([program, "-t", "-c", str(path)], check=True, capture_output=True)
            with subprocess.Popen([program, "-c", str(path)]) as nginx:
                try:
                    _wait(port)
                    play(port, folder, server)
                    check_plain_http(plain)
                finally:
                    nginx.terminate()
    print("all checks behind nginx passed")
    return 0


def _wait(port: int) -> None:
    for _ in range(100_000):
        with socket.socket() as line:
            if not line.connect_ex(("127.0.0.1", port)):
                return
    raise RuntimeError("nginx does not listen")


if __name__ == "__main__":
    sys.exit(main())
