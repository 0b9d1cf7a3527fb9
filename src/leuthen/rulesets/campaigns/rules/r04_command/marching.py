"""R4.4, R5.6, R10.4, V3.4: the legs of a march, the actions in each hex, and units left behind."""

from collections.abc import Generator, Mapping, Sequence

import msgspec

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token, ask_members
from leuthen.engine.ruleset import OTHER, ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Drop, Go, Halt, Leave, MarchAction, Out, Take, Transfer
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS
from leuthen.rulesets.campaigns.model.events import Moved, WentThrough
from leuthen.rulesets.campaigns.model.forces import can_be_inside, field_tp, strength
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Draft, Position, innermost
from leuthen.rulesets.campaigns.rules import r05_hex_actions as hex_actions
from leuthen.rulesets.campaigns.rules import r09_supply as supply
from leuthen.rulesets.campaigns.rules.r02_leaders import Where, is_bound, leaders_of, resolve_hexes, why_not_shift
from leuthen.rulesets.campaigns.rules.r04_command import activation
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation, OpenMarch
from leuthen.rulesets.campaigns.rules.r05_walk import GATE, SHORT, UNABLE, Pace, Walk, leaving
from leuthen.rulesets.campaigns.rules.r07_reaction import ReactionWindow
from leuthen.wargame.board import NOWHERE, Hex, as_hex, hex_name
from leuthen.wargame.strength import LeaderId, as_leader


def drop_script(walk: Walk) -> Script[Drop]:
    was_inside = walk.inside
    bar = None if was_inside else walk.why_not_go_inside(walk.here, walk.left)
    out = bar or Refusal("R10.3", "the group is inside and must come out first", (), walk.here)
    inside = bool((yield Slot("inside", (1,) if was_inside else (0,) if bar else (0, 1), out)))
    group = [unit.number for unit in walk.units]
    pool = [number for number in group if number != walk.lead]
    if inside and not was_inside:
        pool = [number for number in pool if can_be_inside(walk.pos, walk.pos.units[number])]

    def can_stop(chosen: Sequence[LeaderId]) -> bool:
        return bool(chosen) and not _why_hungry(walk, chosen, inside)

    def can_add(chosen: tuple[LeaderId, ...], later: Sequence[LeaderId]) -> bool:
        if _why_not(walk, chosen, inside):
            return False
        return can_stop(chosen) or any(can_add((*chosen, n), later[at + 1 :]) for at, n in enumerate(later))

    def why_not(before: tuple[LeaderId, ...], token: Token) -> Refusal:
        chosen = before
        if token in group and token not in before:
            chosen = (*before, as_leader(token))
            if refusal := _why_not(walk, chosen, inside):
                return refusal
        refusal = _why_hungry(walk, chosen, inside) if token == STOP or chosen != before else None
        return refusal or Refusal("R4.4", "only companions and wagons of the group may be dropped", (), walk.here)

    return Drop(inside, (yield from ask_members("companions", pool, why_not, can_add=can_add, can_stop=can_stop)))


def _why_hungry(walk: Walk, chosen: Sequence[LeaderId], inside: bool) -> Refusal | None:
    """Return the rule that forbids to drop these alone: they would be out of supply where they were led (V3.1)."""
    if not chosen or walk.here == walk.origin[0]:
        return None
    units, place = walk.pos.units, (walk.here, inside)
    active = innermost(walk.pos.frames, Activation)
    marching = {unit.number for unit in walk.units}
    there = [units[n] for n in (active.group if active else ()) if n in units and n not in marching]
    before = [unit for unit in there if (unit.hex, unit.inside) == place]  # put down there before: tested together
    return why_left_hungry(walk.pos, walk.here, inside, [*before, *(units[number] for number in chosen)])


def _why_not(walk: Walk, dropped: Sequence[LeaderId], inside: bool) -> Refusal | None:
    """Return the rule that forbids to drop these, in any company, or None (V8.2, V2.2)."""
    pos, place = walk.pos, (walk.here, inside)
    stays = inside and walk.inside
    if walk.havens and place not in walk.havens and not stays and any(pos.units[number].daunted for number in dropped):
        return Refusal("V8.2", "a demoralized leader goes to the nearest occupied fort, and inside", (), walk.here)
    for nation in ALL_NATIONS:
        if not is_bound(pos, nation):
            continue
        before: Where = leaders_of(pos, nation)
        group = {unit.number for unit in walk.units}
        apart: Where = {n: ((NOWHERE, False) if n in group else at, tp) for n, (at, tp) in before.items()}
        after: Where = {n: (place if n in dropped else at, tp) for n, (at, tp) in apart.items()}
        if group & set(before) and (refusal := why_not_shift(pos, nation, apart, after)):
            return refusal
    return None


def why_left_hungry(pos: Position, here: Hex, inside: bool, left: Sequence[Unit]) -> Refusal | None:
    """Return the rule that forbids to leave these behind where they were led, or None (V3.1).

    Their move ends there: with a leader of command 2 or 1 among them, they must be in supply or carry their need.
    """
    if not pos.options.einhorn or any(unit.daunted for unit in left):
        return None
    bound = [unit for unit in left if unit.tp and pos.leader(unit.number).command <= UNABLE]
    if not bound or supply.is_near(pos, here, pos.side(left[0].number), inside):
        return None
    if supply.stock(left) >= supply.need(pos, strength(left)):
        return None
    name = pos.leader(bound[0].number).name
    return Refusal("V3.1", "{} would be left out of supply at {}", (name, hex_name(here)), here)


def drop(draft: Draft, members: Sequence[LeaderId], action: Drop) -> None:
    draft.give_away(draft.side(members[0]))  # who commands now
    for number in action.companions:
        if action.inside and can_be_inside(draft, draft.units[number]):
            draft.change(number, inside=True)
    here = draft.units[members[0]].hex
    how = "stay inside" if action.inside else "stay"
    draft.emit(WentThrough(side=draft.side(members[0]), units=action.companions, hex=here, how=how, by="R4.4"))


class Marching(OpenMarch, rule="R4.4", name="March"):
    """A group on the march, hex by hex (R4.4), until its owner halts it or it is stopped (R5.3)."""

    def walk(self, pos: Position, *, forage: bool = False) -> Walk:
        left = max(0, self.left - SHORT) if forage else self.left
        kind = "forced" if self.forced else "march"
        members, origin = self.members(pos), (self.origin, self.origin_inside)
        owed = supply.owed_by(pos, [pos.units[number] for number in members])
        return Walk(
            pos, members, self.lead, left, kind=kind, fresh=not self.gone, origin=origin, owed=owed, forage=forage
        )

    def forage_values(self, pos: Position) -> list[bool]:
        """Return whether the group may pay (False) or forage (True); a forced march never forages (V3.5)."""
        values = supply.forage_values(pos, [pos.units[number] for number in self.members(pos)])
        return [value for value in values if not (value and self.forced)]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return () if self.stopped or self.lead not in pos.units else (self.side,)

    def neutral(self, pos: Position, actor: Side) -> Halt:
        return Halt(pos.units[self.lead].inside)

    def step(self, draft: Draft) -> None:
        draft.pop()
        if self.lead in draft.units and self.gone:
            inside = draft.units[self.lead].inside
            activation.report_halt(draft, self.side, self.lead, self.members(draft), inside=inside)

    def script(self, pos: Position, actor: Side) -> Script[MarchAction]:
        values = self.forage_values(pos)
        walks = {forage: self.walk(pos, forage=forage) for forage in values or [True]}
        walk = walks[False not in values]
        units = walk.units
        kinds: list[Token] = []
        stuck = not walk.can_end(walk.here, walk.left)
        ways = [forage for forage in values if walks[forage].goes_on()]
        if not stuck or not walk.has_end(walk.here, walk.left) or not ways:
            kinds.append("halt")
        if ways:
            kinds.append("go")
        if walk.inside and self.left >= GATE and walk.has_end(walk.here, self.left - GATE):
            kinds.append("out")
        kinds += hex_actions.kinds(pos, self.side, units, self.left, self.lead)
        kind = yield Slot("do", kinds, lambda token: _no_kind(walk, token))
        if kind == "halt":  # in the field or inside; a group inside stays so (R10.3)
            reason = "the group is inside and must come out first" if walk.inside else "the march cannot end like that"
            other = Refusal("R10.3", reason, (), walk.here)
            bars = [None if walk.inside else walk.why_not_end(walk.here, walk.left, flag) for flag in (False, True)]
            ends = [1] if walk.inside else [flag for flag in (0, 1) if not bars[flag]] or [0] * stuck
            return Halt(bool((yield Slot("inside", ends, lambda token: bars[bool(token)] or other))))
        if kind == "go":
            forage = yield from ask_forage(pos, units, ways)
            return Go((yield from ask_path(walks[forage], least=1)), forage)
        if kind == "out":
            return Out()
        if kind == "drop":
            return (yield from drop_script(walk))
        return (yield from hex_actions.script(pos, self.side, units, self.lead, str(kind)))

    def answer(self, draft: Draft, actor: Side, action: MarchAction) -> None:
        match action:
            case Halt():
                halt(draft, self, inside=action.inside)
            case Go():
                walk_leg(draft, self, action.path, forage=action.forage)
            case Out():  # R10.3
                members = self.members(draft)
                for number in members:
                    draft.change(number, inside=False)
                draft.emit(WentThrough(side=self.side, units=members, hex=draft.units[members[0]].hex, how="come out"))
                draft.amend(self, left=self.left - GATE)
            case Drop():
                drop(draft, self.members(draft), action)
                draft.amend(self, group=tuple(n for n in self.group if n not in action.companions))
            case Leave() | Take() | Transfer():
                hex_actions.exchange(draft, action)
            case _:
                cost = hex_actions.apply_passing_action(draft, self.side, self.members(draft), action)
                draft.amend(self, left=self.left - cost)

    def prompt(self, pos: Position, actor: Side) -> str:
        here = pos.units[self.lead].hex
        return f"{pos.leader(self.lead).name} at {hex_name(here)}, {self.left} MP left: march on or halt"


def _no_kind(walk: Walk, token: Token) -> Refusal:
    if token == "halt":
        return walk.why_no_end(walk.here, walk.left)
    if token == "go" and walk.is_stopped:
        return hex_actions.why_stopped(walk.here)
    if token == "go":
        return Refusal("R5.1", "there is no hex that the group may enter with {} MP", (walk.left,), walk.here)
    if token == "out":
        return Refusal("R10.3", "the group is not inside, or has no MP", (), walk.here)
    return hex_actions.no_kind(walk.pos, walk.units, token)


def ask_forage(pos: Position, units: Sequence[Unit], values: Sequence[bool]) -> Generator[Slot, Token, bool]:
    """Ask whether a group that owes SP for its first move forages instead (V3.5)."""
    owed = supply.owed_by(pos, units)
    if not owed.most:
        return False

    def refuse(token: Token) -> Refusal:
        return Refusal("V3.5", "{} SP are due; the group has {}", (owed.least, supply.stock(units)))

    return bool((yield Slot("forage", [int(value) for value in values], refuse)))


def ask_path(walk: Walk, *, least: int) -> Generator[Slot, Token, tuple[Hex, ...]]:
    """Ask for a path hex by hex, of `least` hexes or more; it ends where the group is stopped (R5.3)."""
    path: list[Hex] = []
    here, left = walk.here, walk.left
    while True:
        pace, sets_out = pace_of(walk, here, left, gone=bool(path)), not path
        onward = pace.onward(here, left)
        values: list[Token] = [STOP] if len(path) >= least else []
        values += sorted(onward)

        def refuse(token: Token, walk: Walk = walk, pace: Pace = pace, sets_out: bool = sets_out) -> Refusal:
            if token == STOP:
                return Refusal("R4.4", "a march needs at least one hex")
            if walk.enemy_fields >> pace.here & 1 and not (sets_out and walk.unmoved):
                return Refusal("R5.3", "the group stops in {}, where the enemy is", (hex_name(pace.here),), pace.here)
            return walk.why_not_enter(pace.here, as_hex(token), pace.left, sets_out=sets_out)

        def price(token: Token, onward: Mapping[Hex, int] = onward, left: int = left) -> str:
            return "" if token == STOP else f"{left - onward[as_hex(token)]} MP"

        canon = [STOP] if path else values
        token = yield Slot("path", values, refuse, index=len(path), price=price, canon=canon, about=pace)
        if token == STOP:
            return tuple(path)
        walk = walk.beyond(here, as_hex(token))
        here = as_hex(token)
        left = onward[here]
        path.append(here)


def pace_of(walk: Walk, here: Hex, left: int, *, gone: bool) -> Pace:
    """Return the progress of a path; `gone`: the group has entered a hex in this leg."""

    def onward(place: Hex, rest: int) -> dict[Hex, int]:
        sets_out = not gone and place == here and rest == left
        if walk.enemy_fields >> place & 1 and not (sets_out and walk.unmoved):  # R5.3
            return {}
        return walk.onward(place, rest, sets_out=sets_out)

    return Pace(here, left, onward, walk.why_not_enter)


def walk_leg(draft: Draft, march: Marching, path: Sequence[Hex], *, forage: bool) -> None:
    """Move the group hex by hex until the opponent is asked or the group is stopped."""
    for there in path:
        march = enter(draft, march, there, forage=forage)
        open_window(draft, march, there)
        resolve_hexes(draft)
        open_ = draft.frames[-1]
        if not isinstance(open_, Marching) or open_.stopped:
            return
        march = open_


def enter(draft: Draft, march: Marching, there: Hex, *, forage: bool) -> Marching:
    """Move the group into a hex (R4.4, R5.1)."""
    draft.give_away(march.side)  # it is seen to move
    members = march.members(draft)
    units = [draft.units[number] for number in members]
    lead = draft.units[march.lead]
    here, enemies = lead.hex, draft.census.fields[OTHER[march.side]]
    price = draft.data.board.steps[here][there] + leaving(enemies, here, inside=lead.inside)
    left = max(0, march.left - SHORT * (forage and not march.gone) - price)
    if not march.gone:
        supply.count_move(draft, units)
        supply.set_off(draft, march.side, [draft.units[number] for number in members], there, forage=forage)
    for number in members:
        if number in draft.units:
            draft.change(number, hex=there, inside=False, left=True)
    stopped = bool(strength(units)) and field_tp(draft, there, OTHER[march.side]) > 0
    march = msgspec.structs.replace(march, left=left, gone=True, came=here, stopped=stopped)
    draft.frames = (*draft.frames[:-2], msgspec.structs.replace(draft.frames[-2], came=here), march)
    draft.emit(Moved(side=march.side, lead=march.lead, units=march.members(draft), came=here, hex=there, left=left))
    return march


def open_window(draft: Draft, march: Marching, there: Hex) -> None:
    """Let the other side react to a group with TP while the march waits (R7.1, R4.6).

    The group may take the place and load before; where the enemy stops it, it may exchange TP too (R4.4).
    """
    if march.lead not in draft.units or not strength([draft.units[n] for n in march.members(draft)]):
        return
    window = ReactionWindow(OTHER[march.side], there, march.lead, march.came)
    is_awaited = bool(window.actors(draft))
    if is_awaited:
        draft.push(window)
    if is_awaited or march.stopped:
        does = activation.LAST if march.stopped else activation.FIRST
        activation.pause(draft, march.side, march.members(draft), does)


def halt(draft: Draft, march: Marching, *, inside: bool) -> None:
    """End the march, in the field or inside (R10.3)."""
    draft.pop()
    if inside:
        for number in march.members(draft):
            if can_be_inside(draft, draft.units[number]):
                draft.change(number, inside=True)
    activation.report_halt(draft, march.side, march.lead, march.members(draft), inside=inside)
