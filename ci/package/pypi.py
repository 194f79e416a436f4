"""PyPI as far as an upload with trusted publishing needs it, on this machine."""

import json
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from shell import run


class PyPI(ThreadingHTTPServer):
    """The server, and the requests in order: a path each, with the token or the names of the files."""

    def __init__(self, certificate: Path, key: Path) -> None:
        super().__init__(("localhost", 0), Handler)
        self.asked: list[tuple[str, str]] = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)


class Handler(BaseHTTPRequestHandler):
    server: PyPI

    def do_GET(self) -> None:
        self.answer("", {"audience": "pypi"})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/legacy/":
            (name,) = re.findall(rb'filename="([^"]+)"', body)
            self.answer(name.decode(), {})
        else:
            self.answer(json.loads(body)["token"], {"success": True, "token": "pypi-minted"})

    def answer(self, what: str, said: dict) -> None:
        self.server.asked.append((self.path, what))
        text = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def pypi(folder: Path) -> Iterator[tuple[PyPI, dict[str, str]]]:
    """The server, and the environment in which `uv publish` uploads to it."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    extensions = ("subjectAltName=DNS:localhost", "basicConstraints=critical,CA:FALSE")
    added = [word for extension in extensions for word in ("-addext", extension)]
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost")
    run(*made, *added, "-keyout", key, "-out", certificate)
    with PyPI(certificate, key) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://localhost:{server.server_port}/legacy/"
        yield server, {"UV_PUBLISH_URL": url, "SSL_CERT_FILE": str(certificate), "NO_PROXY": "localhost"}
        server.shutdown()
