import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from leuthen import load
from leuthen.engine.refusal import Invalid
from tests.plugins import FORDS, install

GAME = ["--side-1", "random", "--side-2", "random", "--seed", "1"]
BROKEN_MODULE = "import nothing_of_this_name\n"
UNFIT_MODULE = """from leuthen.plugin import Plugin


class Unfit(Plugin):
    name = "unfit"
    data = ()
    rulebook = None


PLUGIN = Unfit()
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "broken.py").write_text(BROKEN_MODULE)
    (tmp_path / "unfit.py").write_text(UNFIT_MODULE)
    install(tmp_path, "fords.plugin:PLUGIN")
    install(tmp_path, "broken:PLUGIN", "broken", "leuthen-broken")
    install(tmp_path, "unfit:PLUGIN", "unfit", "leuthen-unfit")
    install(tmp_path, "fords.plugin:PLUGIN", "other", "leuthen-other")
    install(tmp_path, "fords.plugin:PLUGIN", "../frederick", "leuthen-odd")
    return tmp_path


def leuthen(site: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": f"{site}:{FORDS}"}
    return subprocess.run(
        [sys.executable, "-m", "leuthen", *argv], env=env, capture_output=True, text=True, check=False
    )


def test_an_installed_game_is_played_and_verified(site: Path) -> None:
    record = site / "fords.leuthen"
    assert leuthen(site, "play", "--ruleset", "fords", *GAME, "--record", str(record)).returncode == 0
    assert leuthen(site, "replay", str(record), "--verify").returncode == 0
    assert leuthen(site, "rules", "F5.4").stdout.count("over a ford needs one less") == 1


def test_an_installed_game_is_simulated_in_processes(site: Path) -> None:
    lines = []
    for more in (["--isolated"], ["--jobs", "2"], []):
        done = leuthen(site, "simulate", "--ruleset", "fords", *GAME, "--games", "2", *more)
        assert done.returncode == 0, done.stderr
        lines.append([{**json.loads(line), "seconds": 0} for line in done.stdout.splitlines()])
    assert lines[1] == lines[2]
    assert len(lines[0]) == 2


def test_a_broken_plug_in_leaves_other_rule_sets_usable(site: Path) -> None:
    done = leuthen(site, "rules", "O5.3")
    assert done.returncode == 0
    assert "O5.3" in done.stdout
    said = done.stderr.splitlines()
    assert len(said) == 4, said
    for text in (
        "the rule set ../frederick (fords.plugin:PLUGIN of leuthen-odd 1.0) is not used",
        "(broken:PLUGIN of leuthen-broken 1.0) is broken: ModuleNotFoundError: No module named 'nothing_of_this_name'",
        "the rule set unfit is skipped: AttributeError",
        "(fords.plugin:PLUGIN of leuthen-other 1.0) is broken: a Plugin with this name is expected",
    ):
        assert any(text in line for line in said), text


@pytest.mark.parametrize("name", ["broken", "other", "unfit"])
def test_a_command_for_a_broken_plug_in_is_refused(site: Path, name: str) -> None:
    done = leuthen(site, "simulate", "--ruleset", name, *GAME)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"the rule set {name}" in done.stderr
    assert "is broken: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_plug_in_cannot_replace_a_built_in_rule_set(monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.rulesets.frederick.plugin import FrederickPlugin

    monkeypatch.setattr("leuthen.rulesets.frederick.plugin.AGAIN", FrederickPlugin(), raising=False)
    with pytest.raises(Invalid, match="there is a rule set frederick already"):
        load.add_ruleset("leuthen.rulesets.frederick.plugin:AGAIN")
