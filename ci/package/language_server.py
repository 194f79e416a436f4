"""Talks to rust-analyzer as an editor does: by the Language Server Protocol."""

import json
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Self


class LanguageServer:
    """One that has a folder open."""

    def __init__(self, program: Path, folder: Path, env: dict[str, str]) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [program], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.answers: dict[int, Any] = {}
        self.is_quiet = False
        self.changed = threading.Condition()
        self.count = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        asked = {
            "window": {"workDoneProgress": True},
            "experimental": {"serverStatusNotification": True},
            "textDocument": {"publishDiagnostics": {}, "hover": {"contentFormat": ["markdown"]}},
        }
        root = folder.as_uri()
        self.ask("initialize", processId=None, rootUri=root, capabilities=asked, workspaceFolders=None)
        self._send({"method": "initialized", "params": {}})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0"} | message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            with self.changed:
                self._take(message)
                self.changed.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        method, parameters = message.get("method"), message.get("params")
        if method is None:
            self.answers[message["id"]] = message
        elif "id" in message:  # it asks for settings, and whether it may report its progress
            result = [None] * len(parameters["items"]) if method == "workspace/configuration" else None
            self._send({"id": message["id"], "result": result})
        elif method == "experimental/serverStatus":
            self.is_quiet = parameters["quiescent"]

    def wait(self, until: Any, seconds: float = 240) -> None:
        end = time.monotonic() + seconds
        with self.changed:
            while not until():
                assert self.changed.wait(end - time.monotonic()), "rust-analyzer says nothing"

    def ask(self, method: str, **parameters: object) -> Any:
        """Send a request; return its result."""
        self.count += 1
        number = self.count
        self._send({"id": number, "method": method, "params": parameters})
        self.wait(lambda: number in self.answers)
        answer = self.answers.pop(number)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def open(self, file: Path, text: str) -> None:
        item = {"uri": file.as_uri(), "languageId": "rust", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": item}})

    def at(self, method: str, file: Path, text: str, marked: str, word: str, **more: object) -> Any:
        """Ask about a word: the first one in the text that is marked."""
        start = text.index(marked) + marked.index(word)
        before = text[:start].split("\n")
        position = {"line": len(before) - 1, "character": len(before[-1])}
        return self.ask(f"textDocument/{method}", textDocument={"uri": file.as_uri()}, position=position, **more)
