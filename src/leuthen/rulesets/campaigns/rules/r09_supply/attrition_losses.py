"""Losses outside battle, spread over leaders as V6.1 has it."""

from __future__ import annotations

from typing import Self

from leuthen.engine.choice import Refusal, Script, Slot
from leuthen.engine.ruleset import ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Lose
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.turns import Wasted
from leuthen.rulesets.campaigns.model.forces import strength
from leuthen.rulesets.campaigns.model.knowledge import give_away
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r12_battle.losses import take_tp
from leuthen.rulesets.campaigns.rules.r12_battle.splits import (
    Account,
    default_split,
    free_splits,
    legal_splits,
    not_the_share,
)
from leuthen.wargame.strength import EMPTY, LeaderId


class Toll(Decision[Lose], rule="V6.1", name="Losses"):
    """Leaders lose TP by the rule `by`; the owner spreads them (R9.7, V3.5, R17.6, V6.1)."""

    side: Side
    leaders: tuple[LeaderId, ...]
    points: int
    by: str = "V3.5"

    def rule(self, pos: Position) -> str:
        return self.by

    def kept(self, pos: Position) -> Self | None:
        """Who is left loses no more than he has."""
        left = super().kept(pos)
        points = min(self.points, strength(pos.units[n] for n in left.leaders)) if left is not None else 0
        return left.with_values({"points": points}) if left is not None and points else None

    def _accounts(self, pos: Position) -> list[Account]:
        return [Account(n, pos.units[n].strength) for n in self.leaders]

    def splits(self, pos: Position) -> list[tuple[int, ...]]:
        """The splits that are allowed: in the base game any."""
        accounts = self._accounts(pos)
        now = [account.start for account in accounts]
        return legal_splits(accounts, now, self.points) if pos.options.einhorn else free_splits(now, self.points)

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, if there is a choice; with `hidden` nobody: to ask would tell that several leaders are there."""
        if pos.options.hidden:
            return ()
        return (self.side,) if len(self.leaders) > 1 and len(self.splits(pos)) > 1 else ()

    def step(self, draft: Draft) -> None:
        draft.pop()
        accounts = self._accounts(draft)
        self._take(draft, default_split(self.splits(draft), accounts, self.points))

    def script(self, pos: Position, actor: Side) -> Script[Lose]:
        rule = "V6.1" if pos.options.einhorn else "R9.7"
        yield Slot("do", ("lose",), lambda token: Refusal(rule, "{} TP are lost: say by whom", (self.points,)))
        splits = self.splits(pos)
        wanted = default_split(splits, self._accounts(pos), self.points)
        chosen: list[int] = []
        for number, leader in enumerate(self.leaders):
            values = sorted({split[number] for split in splits if list(split[:number]) == chosen})
            best = wanted[number] if wanted[number] in values else values[0]
            name = pos.leader(leader).name
            canon = [best, *(value for value in values if value != best)]
            refuse = not_the_share(rule, name)
            token = yield Slot("points", values, refuse, index=number, canon=canon)
            chosen.append(int(token))
        return Lose(tuple(chosen))

    def answer(self, draft: Draft, actor: Side, action: Lose) -> None:
        draft.pop()
        self._take(draft, action.points)

    def _take(self, draft: Draft, split: tuple[int, ...]) -> None:
        give_away(draft, self.side)  # another may command now
        fallen = EMPTY
        for leader, points in zip(self.leaders, split, strict=True):
            fallen += take_tp(draft, leader, points)
        draft.bury(fallen)
        draft.emit(Wasted(side=self.side, units=self.leaders, points=tuple(split), by=self.by))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"{self.points} TP are lost: spread them over {', '.join(pos.leader(n).name for n in self.leaders)}"
