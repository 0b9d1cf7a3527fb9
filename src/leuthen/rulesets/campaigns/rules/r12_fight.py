"""R12.1: a battle in progress: its two sides, their leaders and TP, and the splits of losses (R1.2, R12.6, V6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import ClassVar, Self

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot
from leuthen.engine.decision import refuse_with
from leuthen.engine.ruleset import SIDES, Side
from leuthen.rulesets.campaigns.model.actions import Lose
from leuthen.rulesets.campaigns.model.forces import commander, percent_of, strength, troops_at
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position, SideDecision
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, bag, by_power, lose


class Account(msgspec.Struct, frozen=True, gc=False):
    """A leader in a battle: TP at the start of the count, losses since, and whether he is broken (V6.1, V6.4)."""

    leader: LeaderId
    start: int
    lost: int = 0
    broken: bool = False


Split = tuple[int, ...]


def legal_splits(accounts: Sequence[Account], now: Sequence[int], points: int) -> list[Split]:
    """Return the legal splits of `points` over leaders with `now` TP (V6.1).

    Each leader's total is the floor or ceiling of his share of all losses so far; among these splits, his part of this
    round's losses is too, if possible. If no such split exists, points go one by one to the leader furthest below his
    share.
    """
    points = min(points, sum(now))
    whole = sum(account.start for account in accounts)
    total = points + sum(account.lost for account in accounts)
    ranges = []
    for account, there in zip(accounts, now, strict=True):
        values = {n - account.lost for n in _around(total * account.start, whole)}
        ranges.append(sorted(n for n in values if 0 <= n <= there))
    found = [split for split in product(*ranges) if sum(split) == points]
    if not found:
        one_by_one = [0] * len(accounts)
        for _ in range(points):
            open_ = [n for n in range(len(accounts)) if one_by_one[n] < now[n]]
            lost = [account.lost + more for account, more in zip(accounts, one_by_one, strict=True)]
            one_by_one[max(open_, key=lambda n: (total * accounts[n].start - whole * lost[n], -n))] += 1
        return [tuple(one_by_one)]
    close = [
        split
        for split in found
        if all(n in _around(points * a.start, whole) for n, a in zip(split, accounts, strict=True))
    ]
    return close or found


def _around(numerator: int, denominator: int) -> tuple[int, int]:
    return numerator // denominator, -(-numerator // denominator)


def largest_remainder(parts: Sequence[int], points: int) -> Split:
    """Return `points` in proportion to `parts`; the rest goes to the largest remainders, on a tie to the first."""
    whole = sum(parts)
    if not whole:
        return tuple(0 for _ in parts)
    shares = [points * part // whole for part in parts]
    for n in sorted(range(len(parts)), key=lambda n: (-(points * parts[n] % whole), n))[: points - sum(shares)]:
        shares[n] += 1
    return tuple(shares)


def part_of(tp: Bag, points: int) -> Bag:
    """Return `points` of these TP, by nation in proportion."""
    shares = largest_remainder([there for _, there in by_power(tp)], points)
    return sum(bag(nation, share) for (nation, _), share in zip(by_power(tp), shares, strict=True))


def default_split(splits: Sequence[Split], accounts: Sequence[Account], points: int) -> Split:
    """Return the split by the largest remainder if it is legal, otherwise the first."""
    lost = points + sum(account.lost for account in accounts)
    whole = largest_remainder([account.start for account in accounts], lost)
    split = tuple(n - account.lost for n, account in zip(whole, accounts, strict=True))
    return split if split in splits else splits[0]


class Spreading(SideDecision[Lose], name="Losses", neutral=None):
    """TP that a side loses, spread by its owner: in the variant by the leaders' shares, else freely (V6.1, R12.6)."""

    FREELY: ClassVar[str]  # the rule of the base game
    points: int

    def pool(self, pos: Position) -> tuple[list[Account], list[int], int]:
        """Return the accounts of those who lose TP, their TP, and the loss."""
        raise NotImplementedError

    def take(self, draft: Draft, split: Split) -> None:
        raise NotImplementedError

    def losers(self, pos: Position) -> list[LeaderId]:
        return [account.leader for account in self.pool(pos)[0]]

    def splits(self, pos: Position) -> list[Split]:
        """Return the legal splits; empty in the base game, where any is legal."""
        return legal_splits(*self.pool(pos)) if pos.options.einhorn else []

    def has_choice(self, pos: Position) -> bool:
        if pos.options.einhorn:
            return len(self.splits(pos)) > 1
        _, now, points = self.pool(pos)
        return points < sum(now) and sum(map(bool, now)) > 1

    def default(self, pos: Position) -> Split:
        accounts, now, points = self.pool(pos)
        splits = self.splits(pos)
        return default_split(splits, accounts, points) if splits else largest_remainder(now, points)

    def step(self, draft: Draft) -> None:
        split = self.default(draft)
        draft.pop()
        if split:
            self.take(draft, split)

    def script(self, pos: Position, actor: Side) -> Script[Lose]:
        """Ask for the TP that each leader loses, with the default as the first choice."""
        rule = "V6.1" if pos.options.einhorn else self.FREELY
        accounts, now, points = self.pool(pos)
        yield Slot("do", ("lose",), Refusal(rule, "spread the loss of {} TP over the leaders", (points,)))
        splits, wanted = self.splits(pos), self.default(pos)
        chosen: Split = ()
        for place, account in enumerate(accounts):
            left = points - sum(chosen)
            values = list(range(max(0, left - sum(now[place + 1 :])), min(now[place], left) + 1))
            if splits:
                values = sorted({split[place] for split in splits if split[:place] == chosen})
            best = wanted[place] if wanted[place] in values else values[0]
            canon = [best, *(value for value in values if value != best)]
            refuse = refuse_with(rule, "{} TP is not the right share for {}", pos.leader(account.leader).name)
            chosen = (*chosen, int((yield Slot("points", values, refuse, index=place, canon=canon))))
        return Lose(chosen)

    def answer(self, draft: Draft, actor: Side, action: Lose) -> None:
        draft.pop()
        self.take(draft, action.points)

    def prompt(self, pos: Position, actor: Side) -> str:
        names = ", ".join(pos.leader(number).name for number in self.losers(pos))
        return f"Spread the loss of {self.pool(pos)[2]} TP over {names}"


class Combatant(msgspec.Struct, frozen=True, gc=False):
    """One side of a battle.

    `began`: its TP at the start; `lost`: all its losses, `fallen` by nation; `hit`: those of this round. `share`: per
    cent engaged. `broke`: the commander has broken. `roll`: the loss from its combat roll of this round, -1 before.
    """

    commander: LeaderId
    accounts: tuple[Account, ...]
    began: int
    lost: int = 0
    fallen: Bag = EMPTY
    hit: int = 0
    share: int = 0
    concentrated: bool = False
    intense: bool = False
    broke: bool = False
    roll: int = -1


class Fight(Decision):
    """A battle in progress (R12.1). `stage`: the next one; `retreating`: the side that leaves, else -1."""

    hex: Hex
    attacker: Side
    how: str
    came: Hex = NOWHERE
    crossed: bool = False
    round: int = 1
    stage: str = "join"
    hosts: tuple[Combatant, Combatant] | None = None
    retreating: int = -1

    def host(self, side: int) -> Combatant:
        assert self.hosts is not None
        return self.hosts[side]

    def fighters(self) -> Iterable[LeaderId]:
        return [account.leader for host in self.hosts or () for account in host.accounts]

    def units(self, pos: Position, side: Side) -> list[Unit]:
        there = [pos.units[account.leader] for account in self.host(side).accounts if account.leader in pos.units]
        return [unit for unit in there if unit.hex == self.hex]

    def unbroken_units(self, pos: Position, side: Side) -> list[Unit]:
        """Return the units of a side that are still committed (V6.4)."""
        broken = [account.leader for account in self.host(side).accounts if account.broken]
        return [unit for unit in self.units(pos, side) if unit.number not in broken]

    def tp(self, pos: Position, side: Side) -> int:
        return strength(self.units(pos, side))

    def committed_tp(self, pos: Position, side: Side) -> int:
        """Return the engaged TP of the units that are still committed (R12.3)."""
        return percent_of(self.host(side).share, strength(self.unbroken_units(pos, side)))

    def after_removal(self, pos: Position) -> Self | None:
        """End the battle without a winner when all leaders of one side have left the map (R17.5)."""
        if self.hosts is None:
            return self if all(troops_at(pos, self.hex, side, False) for side in SIDES) else None
        hosts = (_host_left(pos, self.hosts[0]), _host_left(pos, self.hosts[1]))
        return None if None in hosts else self.with_values(hosts=hosts)


def _host_left(pos: Position, host: Combatant) -> Combatant | None:
    """Return a side without leaders who have left the map; the commander may change (R2.2)."""
    accounts = tuple(account for account in host.accounts if account.leader in pos.units)
    if len(accounts) == len(host.accounts):
        return host
    if host.commander in pos.units:
        return msgspec.structs.replace(host, accounts=accounts)
    chief = commander(pos, [pos.units[account.leader] for account in accounts])
    return msgspec.structs.replace(host, accounts=accounts, commander=chief, broke=False) if chief >= 0 else None


def current(pos: Position) -> Fight:
    return next(frame for frame in reversed(pos.frames) if isinstance(frame, Fight))


def revise(draft: Draft, **values: object) -> Fight:
    return draft.amend(current(draft), **values)


def revise_host(draft: Draft, side: Side, **values: object) -> Combatant:
    hosts = [current(draft).host(each) for each in SIDES]
    hosts[side] = msgspec.structs.replace(hosts[side], **values)
    revise(draft, hosts=tuple(hosts))
    return hosts[side]


def take_losses(draft: Draft, leaders: Sequence[LeaderId], split: Split) -> Bag:
    """Kill TP of units, and return them by nation."""
    fallen = sum(take_tp(draft, leader, points) for leader, points in zip(leaders, split, strict=True))
    draft.dead += fallen
    return fallen


def take_tp(draft: Draft, number: LeaderId, points: int) -> Bag:
    """Take TP from a unit, and return them by nation."""
    unit = draft.units[number]
    part = lose(unit.tp, points) if draft.data.is_wagon(number) else bag(draft.leader(number).nation, points)
    if points:
        draft.change(number, tp=unit.tp - part)
    return part
