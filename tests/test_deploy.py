import os
import re
import shutil
import subprocess
import sys
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from leuthen.cli import _parser
from leuthen.load import RULESETS
from leuthen.storage.postgres import Postgres
from leuthen.storage.store import Store
from tools.postgres import PostgresMissing, TempPostgres

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
YAML: Any = import_module("yaml")  # it has no type hints
IMAGES = ("LEUTHEN_NODE_IMAGE", "LEUTHEN_PYTHON_IMAGE", "LEUTHEN_POSTGRES_IMAGE", "LEUTHEN_NGINX_IMAGE")
SETTING = re.compile(r"\$\{(\w+)(?::\?[^}]*)?\}")


def compose() -> Any:
    return YAML.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def server_arguments(name: str) -> Any:
    entry = re.search(r"^ENTRYPOINT \[(.+)\]$", dockerfile(), re.MULTILINE)
    assert entry is not None
    words = [word.strip().strip('"') for word in entry[1].split(",")]
    more = [SETTING.sub("games.example.org", word) for word in compose()["services"][name]["command"]]
    return _parser().parse_args([*words[1:], *more])


@pytest.mark.parametrize("name", ["one", "two"])
def test_a_container_starts_the_server_with_valid_options(name: str) -> None:
    args = server_arguments(name)
    assert (args.host, args.port, args.log_json) == ("0.0.0.0", 8756, True)
    assert args.public_url == ["https://games.example.org"]
    assert args.standby, "whichever comes second waits"
    nginx = (DEPLOY / "nginx.conf.template").read_text(encoding="utf-8")
    assert f"server {name}:{args.port} " in nginx


def test_only_the_proxy_is_public_and_trusted() -> None:
    services = compose()["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert services["one"]["environment"]["FORWARDED_ALLOW_IPS"] == proxy
    assert "X-Forwarded-For $remote_addr;" in (DEPLOY / "nginx.conf.template").read_text(encoding="utf-8")


def test_fixed_addresses_are_outside_the_dynamic_range() -> None:
    (network,) = compose()["networks"]["inside"]["ipam"]["config"]
    services = compose()["services"]
    fixed = [ip_address(services[name]["networks"]["inside"]["ipv4_address"]) for name in ("proxy", "one", "two")]
    assert len(set(fixed)) == 3
    for address in fixed:
        assert address in ip_network(network["subnet"])
        assert address not in ip_network(network["ip_range"])


def test_the_proxy_waits_for_healthy_servers() -> None:
    services = compose()["services"]
    assert set(services["proxy"]["depends_on"]) == {"one", "two"}
    for name, needed in services["proxy"]["depends_on"].items():
        assert needed == {"condition": "service_healthy"}
        test = services[name]["healthcheck"]["test"]
        assert f"('127.0.0.1', {server_arguments(name).port})" in test[-1]
        compile(test[-1], name, "exec")


@pytest.mark.parametrize(("body", "code"), [("ok", 0), ("standby", 0), ("failed", 1)])
def test_a_standby_is_healthy_and_a_failed_server_is_not(body: str, code: int) -> None:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(503 if code or body == "standby" else 200)
            self.end_headers()
            self.wfile.write(b'{"status":"%s"}' % body.encode())

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.handle_request, daemon=True).start()
        test = compose()["services"]["one"]["healthcheck"]["test"][-1].replace("8756", str(server.server_port))
        assert subprocess.run([sys.executable, "-c", test], timeout=60).returncode == code


def test_every_setting_must_be_given() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert {found[1] for found in SETTING.finditer(text)} == {
        *IMAGES,
        "LEUTHEN_NAME",
        "LEUTHEN_DB_PASSWORD",
        "LEUTHEN_DB_ADMIN_PASSWORD",
    }
    assert text.count(":?") == len(list(SETTING.finditer(text)))


def test_every_image_is_pinned_by_its_digest() -> None:
    services = compose()["services"]
    named = {SETTING.match(service["image"]) for service in services.values() if service["image"] != "leuthen"}
    built = {SETTING.match(image) for image in services["one"]["build"]["args"].values()}
    assert {found[1] for found in (*named, *built) if found} == set(IMAGES)
    assert set(re.findall(r"^FROM (\S+)", dockerfile(), re.MULTILINE)) == {"${NODE_IMAGE}", "${PYTHON_IMAGE}"}
    for name in ("NODE_IMAGE", "PYTHON_IMAGE"):
        assert re.search(rf"^ARG {name}$", dockerfile(), re.MULTILINE), "it has no value of its own"


def test_pin_writes_only_complete_digests(tmp_path: Path) -> None:
    shutil.copy(DEPLOY / "pin.sh", tmp_path)
    settings = tmp_path / ".env"
    settings.write_text("LEUTHEN_NAME=games.example.org\nLEUTHEN_NGINX_IMAGE=nginx:old\n")
    docker = tmp_path / "docker"
    docker.write_text("#!/bin/sh\necho $DIGEST\n")
    docker.chmod(0o755)

    def pin(digest: str) -> int:
        path = f"{tmp_path}:{os.environ['PATH']}"
        done = subprocess.run(["sh", tmp_path / "pin.sh"], env={"PATH": path, "DIGEST": digest}, capture_output=True)
        return done.returncode

    assert pin("latest") == pin("sha256:12") == 1
    assert "@" not in settings.read_text(), "nothing was changed"
    digest = "sha256:" + "0123456789abcdef" * 4
    assert pin(digest) == pin(digest) == 0
    lines = settings.read_text().splitlines()
    assert lines[0] == "LEUTHEN_NAME=games.example.org"
    assert sorted(line.partition("=")[0] for line in lines[1:]) == sorted(IMAGES)
    assert all(line.endswith(f"@{digest}") for line in lines[1:])


@pytest.mark.parametrize("name", ["db", "one", "two", "proxy"])
def test_a_container_has_minimal_rights(name: str) -> None:
    service = compose()["services"][name]
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert service["user"].partition(":")[0] not in ("", "0", "root")
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert service["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}


def test_the_servers_use_an_unprivileged_database_role() -> None:
    services, script = compose()["services"], (DEPLOY / "database.sh").read_text(encoding="utf-8")
    user = urlsplit(SETTING.sub("x", services["one"]["environment"]["LEUTHEN_DATABASE"])).username
    assert "POSTGRES_USER" not in services["db"]["environment"], "its superuser is postgres"
    assert f"CREATE ROLE {user} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE" in script
    assert any("database.sh:/docker-entrypoint-initdb.d/" in volume for volume in services["db"]["volumes"])


def test_an_unprivileged_role_is_enough_for_the_servers() -> None:
    try:
        database = TempPostgres()
    except PostgresMissing as missing:
        pytest.skip(str(missing))
    with database:
        script = (DEPLOY / "database.sh").read_text(encoding="utf-8")
        statements = script[script.index("CREATE ROLE") : script.rindex("SQL")].replace(":'password'", "'x'")
        statements = statements.replace("leuthen", "leuthen_app")  # here the superuser has that name
        address = database.new_database()
        with psycopg.connect(address, autocommit=True) as superuser:
            for statement in statements.split(";"):
                if statement.strip():
                    superuser.execute(statement.encode())
        parts = urlsplit(address)
        own = parts._replace(path="/leuthen_app", netloc=f"leuthen_app{parts.netloc[parts.netloc.find('@') :]}")
        Store(Postgres(own.geturl())).close()
        with psycopg.connect(own.geturl()) as servant:
            assert servant.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone() == (False,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                servant.execute("CREATE ROLE another")


def test_the_proxy_does_not_redirect_the_api_or_show_a_version() -> None:
    nginx = (DEPLOY / "nginx.conf.template").read_text(encoding="utf-8")
    plain = nginx[nginx.index("listen 8080;") : nginx.index("listen 8443 ")]
    assert re.search(r"location /api/ \{[^}]*return 403 ", plain)
    assert len(re.findall("return 301 ", nginx)) == 1
    assert re.search(r"^server_tokens off;$", nginx, re.MULTILINE)


@pytest.mark.parametrize("path", ["deploy/.env", ".env", "deploy/.env.new", "deploy/certificates/privkey.pem", "x.key"])
def test_secrets_are_ignored_by_git_and_docker(path: str) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no clone")
    ignored = subprocess.run(["git", "check-ignore", "--no-index", "-q", path], cwd=ROOT)
    assert ignored.returncode == 0
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[1] == "*", "all is left out that is not named"
    assert not any(path.startswith(line[1:]) for line in lines if line.startswith("!"))


def test_the_image_contains_the_files_of_the_wheel() -> None:
    copied = [
        path for line in re.findall(r"^COPY (?!--from)(.+)$", dockerfile(), re.MULTILINE) for path in line.split()[:-1]
    ]
    assert [path for path in copied if not (ROOT / path).exists()] == []
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert set(copied) <= {line[1:] for line in lines if line.startswith("!")}
    included = re.search(r"^only-include = (\[.+\])$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert included is not None
    for path in re.findall(r'"([^"]+)"', included[1]):
        assert any(path == one or path.startswith(f"{one}/") for one in copied), path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup.sh", tmp_path / "tools")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "dirname"):
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    return tmp_path


def run_setup(project: Path, *argv: str) -> tuple[int, str]:
    env = {"PATH": str(project / "bin")}
    done = subprocess.run(["sh", "tools/setup.sh", *argv], cwd=project, env=env, capture_output=True, text=True)
    return done.returncode, done.stderr


OLD, WITHOUT_VENV = (f'case "$2" in *{part}*) exit 1;; esac' for part in ("version_info", "ensurepip"))


@pytest.mark.parametrize(
    ("python", "target", "message"),
    [
        ("", "play", "setup: Python 3.11 or newer is missing"),
        (OLD, "play", "Python 3.11 or newer is missing"),
        (WITHOUT_VENV, "dev", "Python's venv module is missing (on Debian and Ubuntu: apt install python3-venv)"),
        ("", "", "git is missing"),
        ("", "nonsense", '"nonsense"'),
    ],
)
def test_setup_names_what_is_missing(project: Path, python: str, target: str, message: str) -> None:
    if python:
        path = project / "bin" / "python3"
        path.write_text(f"#!/bin/sh\n{python}\n")
        path.chmod(0o755)
    code, said = run_setup(project, *target.split())
    assert code == 1
    assert message in said
    assert not (project / ".venv").exists()


def test_setup_reports_a_failed_installation(project: Path) -> None:
    python = project / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\ncase "$*" in *install*) exit 1;; esac\n')
    python.chmod(0o755)
    code, said = run_setup(project, "play")
    assert code == 1
    assert "setup: installing failed" in said
    assert not (project / ".venv" / ".play").exists()


def test_every_make_target_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"make ([a-z]+)", readme))
    assert {"play", "test", "check"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_dependency_has_a_pinned_version() -> None:
    pins = re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    wanted = re.findall(r'"([\w-]+)>=', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert wanted
    assert {name.lower() for name in wanted} <= {name.lower().replace("_", "-") for name in pins} | {
        name.lower() for name in pins
    }


BUILD_TARGETS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"][
    "targets"
]


def test_the_package_contains_no_symbolic_link() -> None:
    assert not [path for path in (ROOT / "src").rglob("*") if path.is_symlink()]


def test_wheel_and_sdist_contain_rulebooks_rulings_and_data() -> None:
    shelves = RULESETS.values()
    wanted = {path for shelf in shelves for path in (*shelf.data, shelf.rulebook, shelf.rulings) if path is not None}
    assert len(wanted) > len(RULESETS) * 3
    for target, key in (("wheel", "only-include"), ("sdist", "include")):
        taken = [ROOT / path for path in BUILD_TARGETS[target][key]]
        left = {path for path in wanted if not any(path.is_relative_to(folder) for folder in taken)}
        assert not left, f"the {target} lacks them"
