"""Drivers for browsers that Playwright does not support: Firefox by Marionette, WebKit by WebDriver, with the same
commands.
"""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from pathlib import Path
from shutil import which
from typing import Any, Final

PATIENCE: Final = 60
_ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"


_AT: Final = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
return `${JSON.stringify(box)} in ${innerWidth} x ${innerHeight}: ${found?.outerHTML.slice(0, 200)}`;
"""


class Missing(RuntimeError):
    """A browser is not installed; the text says how to install it."""


class Failed(AssertionError):
    """The browser did not execute a command, or the page does not show the expected content."""


class Driver(ABC):
    name: str
    _process: subprocess.Popen[bytes]

    @abstractmethod
    def send(self, verb: str, **what: Any) -> Any:
        """Send a WebDriver command and return the browser's response. Raise Failed."""

    def go(self, url: str) -> None:
        self.send("Navigate", url=url)

    def run(self, script: str, *args: object) -> Any:
        return self.send("ExecuteScript", script=script, args=list(args))

    def wait(self, condition: str, patience: float = PATIENCE) -> None:
        until = time.monotonic() + patience
        while not self.run(f"return Boolean(document.body && ({condition}))"):
            if time.monotonic() > until:
                raise Failed(f"{self.name}: never true: {condition}; the page says {self.said()}")
            time.sleep(0.1)

    def said(self) -> str:
        return " ".join(str(self.run("return document.body.innerText")).split())[:300]

    def click(self, css: str) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.send("ElementClick", id=self._find(css))
                return
            except Failed as fault:
                if time.monotonic() > until:
                    raise Failed(f"{css}: {fault}; there is {self.run(_AT, css)}") from None
                time.sleep(0.2)

    def type(self, css: str, text: str) -> None:
        self.send("ElementSendKeys", id=self._find(css), text=text)

    def _find(self, css: str) -> str:
        self.wait(f"document.querySelector({json.dumps(css)})")
        found = self.send("FindElement", using="css selector", value=css)
        return str(found[_ELEMENT])

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)


def _begun(command: list[str], log: Path, package: str) -> subprocess.Popen[bytes]:
    if which(command[0]) is None:
        raise Missing(f"{command[0]} is not installed: apt install {package}")
    with log.open("wb") as said:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _connected(port: int, process: subprocess.Popen[bytes]) -> socket.socket:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise Failed("the browser does not listen")


class Firefox(Driver):
    def __init__(self, folder: Path) -> None:
        profile, port = folder / "profile", _free_port()
        profile.mkdir()
        (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
        command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
        self._process = _begun(command, folder / "firefox.log", "firefox-esr")
        self._line = _connected(port, self._process).makefile("rwb")
        self._number = 0
        self._read()
        capabilities = self.send("NewSession")["capabilities"]
        self.name = f"Firefox {capabilities['browserVersion']}"

    def send(self, verb: str, **what: Any) -> Any:
        self._number += 1
        data = json.dumps([0, self._number, f"WebDriver:{verb}", what]).encode()
        self._line.write(b"%d:%s" % (len(data), data))
        self._line.flush()
        _, _, error, answer = self._read()
        if error:
            raise Failed(f"Firefox, {verb} {what}: {error['message']}")
        return answer["value"] if set(answer) == {"value"} else answer

    def _read(self) -> Any:
        length = b""
        while (digit := self._line.read(1)) != b":":
            if not digit:
                raise Failed("Firefox has gone")
            length += digit
        return json.loads(self._line.read(int(length)))


class WebKit(Driver):
    _PATHS: Final = {
        "Navigate": "/url",
        "ExecuteScript": "/execute/sync",
        "FindElement": "/element",
        "ElementClick": "/element/{id}/click",
        "ElementSendKeys": "/element/{id}/value",
    }

    def __init__(self, folder: Path) -> None:
        port = _free_port()
        self._process = _begun(["WPEWebDriver", f"--port={port}"], folder / "webkit.log", "wpewebkit-driver cog")
        if which("cog") is None:
            raise Missing("cog is not installed: apt install cog")
        _connected(port, self._process).close()
        self._base = f"http://127.0.0.1:{port}/session"
        how = {"binary": which("cog"), "args": ["--automation", "--platform=headless"]}
        made = self._post("", {"capabilities": {"alwaysMatch": {"wpe:browserOptions": how}}})
        self._base += f"/{made['sessionId']}"
        self.name = f"WPE WebKit {made['capabilities']['browserVersion']}"

    def send(self, verb: str, **what: Any) -> Any:
        return self._post(self._PATHS[verb].format(**what), what)

    def close(self) -> None:
        urllib.request.urlopen(urllib.request.Request(self._base, method="DELETE"), timeout=PATIENCE).close()
        super().close()

    def _post(self, path: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._base + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failed(f"WebKit, {path}: {error.read().decode()[:500]}") from error
