"""The files in `deploy/` fit the program: options, ports, names, paths. Nothing is built or started here."""

from __future__ import annotations

import re
from importlib import import_module
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest

from leuthen.cli import _parser
from tests.test_security import wrong_in

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
YAML: Any = import_module("yaml")  # it comes without types
SETTING = re.compile(r"\$\{(\w+)(?::\?[^}]*)?\}")


def compose() -> Any:
    return YAML.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def arguments(name: str) -> Any:
    """What a server of the compose file is started with, as the program reads it."""
    entry = re.search(r"^ENTRYPOINT \[(.+)\]$", dockerfile(), re.MULTILINE)
    assert entry is not None
    words = [word.strip().strip('"') for word in entry[1].split(",")]
    more = [SETTING.sub("games.example.org", word) for word in compose()["services"][name]["command"]]
    return _parser().parse_args([*words[1:], *more])


@pytest.mark.parametrize("name", ["one", "two"])
def test_a_server_is_started_as_the_program_wants_it(name: str) -> None:
    args = arguments(name)
    assert (args.host, args.port, args.log_json) == ("0.0.0.0", 8756, True)
    assert args.public_url == ["https://games.example.org"]
    assert args.internal == (name, 8757), "under the name by which the other finds it"
    nginx = (DEPLOY / "nginx.conf.template").read_text(encoding="utf-8")
    assert f"server {name}:{args.port} " in nginx


def test_only_the_proxy_is_reached_from_outside_and_believed() -> None:
    services = compose()["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert services["one"]["environment"]["FORWARDED_ALLOW_IPS"] == proxy
    assert "X-Forwarded-For $remote_addr;" in (DEPLOY / "nginx.conf.template").read_text(encoding="utf-8")


def test_the_proxy_and_what_it_leads_to_have_fixed_addresses_that_nobody_else_is_given() -> None:
    """Addresses are given to who comes first, and nginx looks those of the servers up once."""
    (network,) = compose()["networks"]["inside"]["ipam"]["config"]
    services = compose()["services"]
    fixed = [ip_address(services[name]["networks"]["inside"]["ipv4_address"]) for name in ("proxy", "one", "two")]
    assert len(set(fixed)) == 3
    for address in fixed:
        assert address in ip_network(network["subnet"])
        assert address not in ip_network(network["ip_range"])


def test_the_proxy_starts_when_the_servers_answer() -> None:
    services = compose()["services"]
    assert set(services["proxy"]["depends_on"]) == {"one", "two"}
    for name, needed in services["proxy"]["depends_on"].items():
        assert needed == {"condition": "service_healthy"}
        assert f"http://127.0.0.1:{arguments(name).port}/healthz" in services[name]["healthcheck"]["test"][-1]


def test_every_setting_must_be_given() -> None:
    """With a colon and a question mark, so that nothing is started with an empty password."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert {found[1] for found in SETTING.finditer(text)} == {"LEUTHEN_NAME", "LEUTHEN_DB_PASSWORD"}
    assert text.count(":?") == len(list(SETTING.finditer(text)))


def test_what_is_copied_into_the_image_is_there_and_all_that_the_wheel_needs() -> None:
    copied = [path for line in re.findall(r"^COPY (.+)$", dockerfile(), re.MULTILINE) for path in line.split()[:-1]]
    assert [path for path in copied if not (ROOT / path).exists()] == []
    included = re.search(r"^only-include = (\[.+\])$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert included is not None
    for path in re.findall(r'"([^"]+)"', included[1]):
        assert any(path == one or path.startswith(f"{one}/") for one in copied), path


def test_what_the_page_cites_exists() -> None:
    assert wrong_in((ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")) == []
