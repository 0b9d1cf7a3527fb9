"""Checks of the laws over the moments of a game, and of whether a law finds a planted fault."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest

from tests.laws.games import Moment
from tests.laws.laws import LAWS

Law = Callable[[Moment], None]


def faults(game: str, moments: Iterable[Moment]) -> list[str]:
    for number, moment in enumerate(moments):
        for law in LAWS:
            try:
                law(moment)
            except AssertionError as error:
                line = moment.game.format_action(moment.state, moment.actor, moment.action)
                where = f'{law.__name__}: {game}, moment {number}, {moment.pending.decision}: "{line}"'
                return [f"{where}: {error}"]
    return []


def breaks(law: Law, moments: Iterable[Moment]) -> bool:
    for moment in moments:
        try:
            law(moment)
        except AssertionError:
            return True
    return False


def reveal_too_much(event: type[Any], ruleset: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event, "HIDDEN", ())
    apply = ruleset.apply

    def without_learned(self: Any, state: Any, actor: int, action: Any) -> Any:
        return msgspec.structs.replace(apply(self, state, actor, action), learned=0)

    monkeypatch.setattr(ruleset, "apply", without_learned)
