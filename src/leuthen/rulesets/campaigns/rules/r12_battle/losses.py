"""R12.6, V6.1: the owner spreads the losses of a round over his leaders."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.engine.choice import Refusal, Script, Slot
from leuthen.engine.ruleset import ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Lose
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events.fighting import LossesTaken
from leuthen.rulesets.campaigns.model.knowledge import show
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r12_battle.fight import current, hosts_of, revise_host
from leuthen.rulesets.campaigns.rules.r12_battle.splits import (
    Account,
    charge,
    default_split,
    largest_remainder,
    legal_splits,
    not_the_share,
)
from leuthen.wargame.board import stack_key
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, bag, lose


class Losses(Decision[Lose], rule="R12.6", name="Losses", neutral=None):
    """A side spreads its losses over its leaders (R12.6, V6.1): first those still committed, then the broken ones."""

    side: Side
    points: int

    def _pool(self, pos: Position) -> tuple[list[Account], list[int], int]:
        """Whose TP are lost, how many they have, how many points fall on them; who has none left still has a share."""
        battle = current(pos)
        accounts = hosts_of(battle)[self.side].accounts
        for broken in (False, True):
            shares = [a for a in accounts if a.broken == broken and pos.options.einhorn and a.lost]
            pool = [a for a in accounts if a in shares or (a.broken == broken and pos.units[a.leader].tp)]
            now = [pos.units[account.leader].strength for account in pool]
            if sum(now):
                return pool, now, min(self.points, sum(now))
        return [], [], 0

    def leaders(self, pos: Position) -> list[LeaderId]:
        """Whose TP are lost."""
        return [account.leader for account in self._pool(pos)[0]]

    def splits(self, pos: Position) -> list[tuple[int, ...]]:
        """The splits that are allowed; in the base game any."""
        pool, now, points = self._pool(pos)
        if not pos.options.einhorn:
            return []
        return legal_splits(pool, now, points)

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        """The owner, if there is a choice."""
        pool, now, points = self._pool(pos)
        if len(pool) < 2 or points >= sum(now):
            return ()
        if pos.options.einhorn and len(self.splits(pos)) < 2:
            return ()
        return (self.side,)

    def step(self, draft: Draft) -> None:
        """There is none; or the losses go by the largest remainder."""
        pool, now, points = self._pool(draft)
        if not pool:
            draft.pop()
        elif points >= sum(now):
            self._take(draft, pool, now)
        elif draft.options.einhorn:
            self._take(draft, pool, default_split(legal_splits(pool, now, points), pool, points))
        else:
            self._take(draft, pool, largest_remainder(now, points))

    def script(self, pos: Position, actor: Side) -> Script[Lose]:
        pool, now, points = self._pool(pos)
        splits = self.splits(pos)
        rule = "V6.1" if pos.options.einhorn else "R12.6"
        yield Slot("do", ("lose",), lambda token: Refusal(rule, "{} TP are lost: say by whom", (points,)))
        wanted = default_split(splits, pool, points) if splits else largest_remainder(now, points)
        chosen: list[int] = []
        for number in range(len(pool)):
            values = self._values(splits, now, points, chosen)
            name = pos.leader(pool[number].leader).name
            best = wanted[number] if wanted[number] in values else values[0]
            canon = [best, *(value for value in values if value != best)]
            token = yield Slot("points", values, not_the_share(rule, name), index=number, canon=canon)
            chosen.append(int(token))
        return Lose(tuple(chosen))

    def _values(self, splits: list[tuple[int, ...]], now: list[int], points: int, chosen: list[int]) -> list[int]:
        place = len(chosen)
        if splits:
            return sorted({split[place] for split in splits if list(split[:place]) == chosen})
        left, later = points - sum(chosen), sum(now[place + 1 :])
        return list(range(max(0, left - later), min(now[place], left) + 1))

    def answer(self, draft: Draft, actor: Side, action: Lose) -> None:
        pool, _, _ = self._pool(draft)
        self._take(draft, pool, action.points)

    def _take(self, draft: Draft, pool: list[Account], split: Sequence[int]) -> None:
        host = hosts_of(current(draft))[self.side]
        accounts = {account.leader: account for account in charge(pool, split)}
        fallen = EMPTY
        for account, points in zip(pool, split, strict=True):
            fallen += take_tp(draft, account.leader, points)
        draft.bury(fallen)
        revise_host(
            draft,
            self.side,
            accounts=tuple(accounts.get(account.leader, account) for account in host.accounts),
            lost=host.lost + sum(split),
            fallen=host.fallen + fallen,
        )
        show(draft, [stack_key(current(draft).hex, self.side, False)])
        draft.emit(LossesTaken(side=self.side, units=tuple(a.leader for a in pool), points=tuple(split)))
        draft.pop()
        if sum(split) < self.points:
            draft.push(Losses(self.side, self.points - sum(split)))

    def prompt(self, pos: Position, actor: Side) -> str:
        pool, _, points = self._pool(pos)
        return f"{points} TP are lost: spread them over {', '.join(pos.leader(a.leader).name for a in pool)}"


def take_tp(draft: Draft, number: LeaderId, points: int) -> Bag:
    """A unit loses so many TP; which of whose nation."""
    unit = draft.units[number]
    nation = draft.leader(number).nation
    part = lose(unit.tp, points) if draft.data.is_wagon(number) else bag(nation, points)
    if points:
        draft.change(number, tp=unit.tp - part)
    return part
