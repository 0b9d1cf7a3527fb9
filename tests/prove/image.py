"""Run the steps of `deploy/Dockerfile` without Docker, and the resulting servers: `python -m tests.prove.image`.

The steps run in a temporary overlay on this machine's files, which holds everything that they copy, install and create.
A local Python (`--python`) replaces that of the image, so files that exist on this machine but not in the image go
unnoticed. Then server and standby of the compose file run as the image's user, with write access only to /tmp, on their
own PostgreSQL. A game created on one is read on the other after the failover, and both shut down in time. The test
needs Linux, root, and PostgreSQL.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from tests.test_deploy import DEPLOY, ROOT, SETTING, compose
from tools.postgres import PostgresMissing, TempPostgres

HOST_NAME: Final = "games.example.org"
PYTHON: Final = "/opt/image"
TIMEOUT: Final = 240
INHERITED_SETTINGS: Final = re.compile(r"PIP_|SSL_|\w+_proxy$|\w+_PROXY$")
PORTS: Final = {"one": (8756, 9756), "two": (8766, 9766)}


class Failed(RuntimeError):
    """A check failed; the text says which."""


class Step(NamedTuple):
    word: str
    rest: str


def steps(text: str) -> Iterator[Step]:
    lines = "\n".join(line for line in text.splitlines() if line and not line.startswith("#"))
    for line in re.sub(r"\\\n\s*", "", lines).splitlines():
        yield Step(*line.split(maxsplit=1))


class Image:
    def __init__(self, root: Path, python: str) -> None:
        self.root = root
        self.where = "/"
        self.user = "root"
        self.env = {name: value for name, value in os.environ.items() if INHERITED_SETTINGS.match(name)}
        self.env |= {"PATH": f"{PYTHON}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        self.entry: list[str] = []
        self._python = python

    def do(self, step: Step) -> None:
        known = {
            "ARG": lambda rest: None,
            "FROM": self._begin, "WORKDIR": self._go, "COPY": self._copy, "RUN": self._run, "USER": self._become,
            "ENV": self._set, "EXPOSE": lambda rest: None, "ENTRYPOINT": self._enter,
        }  # fmt: skip
        if step.word not in known:
            raise Failed(f"the step {step.word} is not known here")
        print(f"{step.word} {step.rest}"[:110], flush=True)
        known[step.word](step.rest)

    def command(self, *words: str) -> list[str]:
        setting = [f"{name}={value}" for name, value in self.env.items()]
        return ["chroot", f"--userspec={self.user}", str(self.root), "env", "-i", "-C", self.where, *setting, *words]

    def run(self, *words: str) -> None:
        done = subprocess.run(self.command(*words), capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{shlex.join(words)} failed:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")

    def _begin(self, base: str) -> None:
        print(f"  {self._python} stands for {base}")
        for folder in Path(os.path.realpath(self._python)).parents:
            inside = self.root / folder.relative_to("/")
            inside.chmod(inside.stat().st_mode | 0o055)
        self.run(self._python, "-m", "venv", PYTHON)

    def _go(self, folder: str) -> None:
        self.where = folder
        self._inside("").mkdir(parents=True, exist_ok=True)

    def _copy(self, rest: str) -> None:
        *found, target = rest.split()
        for one in found:
            source, to = ROOT / one, self._inside(target)
            if source.is_dir():
                shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
            else:
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, to)

    def _run(self, words: str) -> None:
        self.run("sh", "-ec", words)

    def _become(self, user: str) -> None:
        self.user = user
        self.env |= {"HOME": f"/home/{user}"}

    def _set(self, rest: str) -> None:
        self.env |= dict(setting.split("=", 1) for setting in shlex.split(rest))

    def _enter(self, rest: str) -> None:
        self.entry = json.loads(rest)

    def _inside(self, path: str) -> Path:
        return self.root / os.path.join(self.where, path).lstrip("/")


# --- the servers ------------------------------------------------------------------------------------------------------


class RunningServer:
    def __init__(self, image: Image, name: str, database: str) -> None:
        self.port, self.figures = PORTS[name]
        words = [SETTING.sub(HOST_NAME, word) for word in compose()["services"][name]["command"]]
        ports = ["--port", str(self.port), "--metrics", str(self.figures)]
        env = [f"LEUTHEN_DATABASE={database}", "FORWARDED_ALLOW_IPS=127.0.0.1"]
        self._process = subprocess.Popen(image.command(*env, *image.entry, *words, *ports))
        self.cookie = ""

    def wait(self) -> None:
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end and self._process.poll() is None:
            try:
                if self.ask("GET", "/healthz") == {"status": "ok"}:
                    return
            except (OSError, Failed):
                time.sleep(0.2)
        raise Failed("a server does not answer")

    def ask(self, method: str, path: str, body: object = None, *, cookie: str = "") -> Any:
        line = HTTPConnection("127.0.0.1", self.figures if path == "/metrics" else self.port, timeout=60)
        headers = {"Host": HOST_NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7", "Cookie": cookie}
        headers |= {"Content-Type": "application/json"} if body else {}
        line.request(method, path, json.dumps(body) if body else None, headers)
        answer = line.getresponse()
        text = answer.read().decode()
        self.cookie = (answer.headers.get("Set-Cookie") or self.cookie).partition(";")[0]
        line.close()
        if answer.status >= 400:
            raise Failed(f"{method} {path} is answered {answer.status}: {text[:500]}")
        return json.loads(text) if "json" in answer.headers["Content-Type"] else text

    def owner(self) -> int:
        return Path(f"/proc/{self._process.pid}").stat().st_uid

    def end(self) -> float:
        start = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(TIMEOUT)
        finally:
            self._process.kill()
        return time.monotonic() - start


def play_after_failover(one: RunningServer, two: RunningServer) -> None:
    check_serving(one)
    made = one.ask("POST", "/api/games", {"players": ["me", "random"]})
    check(one.cookie.startswith("__Host-leuthen="), "it came over TLS")
    took = one.end()
    check_serving(two)
    fresh = two.ask("GET", f"/api/seats/{made['seats'][0]['seat']}", cookie=one.cookie)
    check(fresh["awaited"], "a game that is made at one server is read at the one that takes over")
    grace = int(compose()["services"]["one"]["stop_grace_period"].removesuffix("s"))
    check(max(took, two.end()) < grace, f"both end within {grace} s")


def check_serving(server: RunningServer) -> None:
    server.wait()
    check(server.owner() == 10001, "it runs as the user of the image")
    check("Leuthen" in server.ask("GET", "/"), "the first page is there")
    check("leuthen_streams" in server.ask("GET", "/metrics"), "figures are given out")


def check(holds: object, what: str) -> None:
    if not holds:
        raise Failed(f"this does not hold: {what}")
    print(f"  {what}", flush=True)


# --- the layer --------------------------------------------------------------------------------------------------------


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def mount_overlay(folder: Path) -> Path:
    mount("-t", "tmpfs", "none", str(folder))
    root, above, work = (folder / name for name in ("root", "above", "work"))
    for path in (root, above, work):
        path.mkdir()
    mount("-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={above},workdir={work}", str(root))
    for name in ("/dev", "/proc"):
        mount("--rbind", name, f"{root}{name}")
    return root


def mount_database(database: str, root: Path) -> None:
    outside = Path(parse_qs(urlsplit(database).query)["host"][0])
    there = root / outside.relative_to("/")
    outside.chmod(0o711)
    there.mkdir(parents=True)
    mount("--bind", str(outside), str(there))


def run_inside(folder: Path, python: str) -> None:
    with TempPostgres() as postgres:
        image = Image(mount_overlay(folder), python)
        for step in steps((DEPLOY / "Dockerfile").read_text(encoding="utf-8")):
            image.do(step)
        mount("-o", "remount,ro", str(image.root))
        mount("-t", "tmpfs", "none", f"{image.root}/tmp")
        database = postgres.new_database()
        mount_database(database, image.root)
        one = RunningServer(image, "one", database)
        one.wait()
        two = RunningServer(image, "two", database)
        try:
            play_after_failover(one, two)
        finally:
            one.end()
            two.end()


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.prove.image", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="stands for that of the image")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if sys.platform != "linux" or os.getuid() != 0 or shutil.which("unshare") is None:
        print("image: this needs Linux, root, and unshare (util-linux)")
        return 1
    if given.inside is None:
        return run_in_namespace(given.python)
    try:
        run_inside(given.inside, given.python)
    except (Failed, PostgresMissing, subprocess.CalledProcessError) as fault:
        print(f"image: {fault}")
        return 1
    print("what the Dockerfile makes works")
    return 0


def run_in_namespace(python: str) -> int:
    with TemporaryDirectory(prefix="leuthen-image-") as folder:
        words = (sys.executable, "-m", "tests.prove.image", "--python", python, "--inside", folder)
        return subprocess.run(["unshare", "--mount", *words], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
