"""Records of version 1: told as far as the rules that are here accept them, and all of the rest in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from leuthen.cli import run
from leuthen.load import load
from leuthen.play.record import RecordError, read
from leuthen.play.replay import Replay
from tests.records.make import folder_of
from tests.records.plans import PLANS

FORMER = [path for ruleset in PLANS for path in sorted(folder_of(ruleset, "1").glob("*.leuthen"))]
SOME = [path for path in FORMER if path.stem in ("deployment", "undo", "takeback", "resign", "draw", "standing-hidden")]


def shown(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", FORMER, ids=shown)
def test_it_goes_as_far_as_it_is_accepted_and_names_what_it_needs(path: Path) -> None:
    recorded = read(path)
    replay = Replay(load(recorded.header.ruleset), recorded, as_far=True)
    assert "version 1 of the rules; here is 2" in replay.foreign
    refused = None
    try:
        replay.run()
    except RecordError as error:
        refused = error
    lines = [*(entry.line for entry in recorded.entries), len(recorded.lines)]
    if refused is None:
        assert replay.done == len(recorded.entries)
    else:
        assert refused.line == lines[replay.done]
        assert "from here on version 1 of the rules would be needed" in str(refused)


@pytest.mark.parametrize("path", SOME, ids=shown)
def test_it_is_told_to_its_end(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every action that the rules here refuse stands there with its number, in the record's words."""
    assert run(["replay", str(path), "--viewer", "everything"]) == 0
    told = capsys.readouterr().out
    recorded = read(path)
    assert "version 1 of the rules; here is 2. It is told as far" in told
    _, marker, rest = told.partition("What follows stands as the record has it.")
    if marker:
        replay = Replay(load(recorded.header.ruleset), recorded, as_far=True)
        with pytest.raises(RecordError):
            replay.run()
        numbers = [int(line.split()[0]) for line in rest.splitlines()[1:-1]]
        assert numbers == [entry.number for entry in recorded.entries[replay.done :]]


@pytest.mark.parametrize("path", SOME, ids=shown)
def test_others_read_no_orders_of_a_side(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["replay", str(path), "--viewer", "prussia"])
    _, _, rest = capsys.readouterr().out.partition("What follows stands as the record has it.")
    said = (": ", "'s standing", " gives a standing")
    assert not any(f"{name}{what}" in rest for name in ("Austria", "Coalition") for what in said)


@pytest.mark.parametrize("path", SOME[:2], ids=shown)
def test_it_is_not_gone_on_with(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    assert run(["resume", str(copy), "--prussia", "random", "--austria", "random"]) == 2
    assert "was played with version 1 of the rules; here is 2" in capsys.readouterr().err
    assert copy.read_bytes() == path.read_bytes()
