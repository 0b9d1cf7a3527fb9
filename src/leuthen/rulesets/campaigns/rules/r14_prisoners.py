"""R14, V7: prisoners in step B, and freed men who travel with a wagon."""

from __future__ import annotations

from typing import Final, Self

from leuthen.engine.choice import Refusal, Script, Slot, script_of
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import OTHER, SIDES, ActorId, Side
from leuthen.rulesets.campaigns.model.actions import Agree, Claim, Name, Propose, Ransom, Refuse, Transfer
from leuthen.rulesets.campaigns.model.events import Arranged, PrisonersFreed, Proposed
from leuthen.rulesets.campaigns.model.forces import by_seniority, force_at
from leuthen.rulesets.campaigns.model.pieces import COMING, Coming
from leuthen.rulesets.campaigns.model.state import Decision, Draft, Position, SideDecision, with_side_value
from leuthen.rulesets.campaigns.rules.r02_leaders import why_not_gain
from leuthen.rulesets.campaigns.rules.r12_fight import part_of
from leuthen.wargame.strength import EMPTY, NO_LEADER, LeaderId, as_leader, bag, by_power, is_mixed, of, total

WAIT: Final = 2  # turns until the freed arrive in the variant
RANSOM: Final = 5  # prisoners for a leader (R14.3)


class PrisonerStep(Decision, rule="R14.2", name="Prisoners"):
    """Step B: prisoners are exchanged one for one, in the variant as many as possible (V7.2), else by consent."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        draft.push_in_order(map(Ransoming, SIDES))
        count = min(len(held) for held in draft.captives)
        draft.push_in_order(LeaderClaim(side, count) for side in SIDES)
        points = min(total(held) for held in draft.prisoners)
        if draft.options.einhorn:
            push_naming(draft, points)
        elif points:
            draft.push(Proposing(points))


def push_naming(draft: Draft, points: int) -> None:
    """Let each side name the freed men (V7.2)."""
    if points:
        draft.push_in_order(Naming(side, points) for side in SIDES)


class Proposing(
    Decision[Propose | Done],
    rule="R14.2",
    name="Exchange of prisoners",
    prompt="Exchange of prisoners: propose up to {0.most}",
    neutral=Done(),
):
    """The Prussian side proposes how many are exchanged (R14.2)."""

    most: int

    def after_removal(self, pos: Position) -> Self | None:
        most = min(self.most, *map(total, pos.prisoners))
        return self.with_values(most=most) if most else None

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (0,)

    def script(self, pos: Position, actor: Side) -> Script[Propose | Done]:
        if (yield Slot("do", ("done", "propose"), Refusal("R14.2", "choose propose or done"))) == "done":
            return Done()
        much = Refusal("R14.2", "at most {} can be exchanged", (self.most,))
        return Propose(int((yield Slot("points", range(1, self.most + 1), much, canon=(self.most,)))))

    def answer(self, draft: Draft, actor: Side, action: Propose | Done) -> None:
        draft.pop()
        if isinstance(action, Propose):
            draft.emit(Proposed(side=0, what=f"proposes to exchange {action.points} prisoners"))
            draft.push(Consenting(1, action.points))


class Consenting(SideDecision[Agree | Refuse], rule="R14.2", name="Consent", neutral=Refuse()):
    """The other side agrees to an exchange or a ransom, or refuses (R14.2, R14.3)."""

    points: int
    leader: LeaderId = NO_LEADER

    def after_removal(self, pos: Position) -> Self | None:
        if self.leader >= 0:
            held = any(captive.leader == self.leader for captive in pos.captives[self.side])
            return self if held and total(pos.prisoners[OTHER[self.side]]) >= self.points else None
        points = min(self.points, *map(total, pos.prisoners))
        return self.with_values(points=points) if points else None

    def rule(self, pos: Position) -> str:
        return self.RULE if self.leader < 0 else "R14.3"

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,)

    def script(self, pos: Position, actor: Side) -> Script[Agree | Refuse]:
        return script_of((Refuse(), Agree()), self.rule(pos), "choose agree or refuse")

    def answer(self, draft: Draft, actor: Side, action: Agree | Refuse) -> None:
        draft.pop()
        if isinstance(action, Refuse):
            draft.emit(Proposed(side=self.side, what="refuses", by=self.rule(draft)))
        elif self.leader >= 0:
            free_leader(draft, self.leader)
            draft.push(Naming(self.side, self.points))
        else:
            push_naming(draft, self.points)

    def prompt(self, pos: Position, actor: Side) -> str:
        what = f"{pos.leader(self.leader).name} for" if self.leader >= 0 else "Exchange of"
        return f"{what} {self.points} prisoners: agree or refuse"


class Naming(
    SideDecision[Name],
    rule="R14.2",
    variant="V7.2",
    name="Men to be freed",
    prompt="{0.points} of your men are freed: name them by nation",
    neutral=None,
):
    """A side names its men to be freed, by nation (R14.2, V7.2)."""

    points: int

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        held = pos.prisoners[OTHER[self.side]]
        return (self.side,) if is_mixed(held) and self.points < total(held) else ()

    def step(self, draft: Draft) -> None:
        held = draft.prisoners[OTHER[self.side]]
        self._free(draft, part_of(held, min(self.points, total(held))))

    def script(self, pos: Position, actor: Side) -> Script[Name]:
        yield Slot("do", ("name",), Refusal(self.rule(pos), "name the men to be freed"))
        held = pos.prisoners[OTHER[self.side]]
        left, tp, refuse = self.points, EMPTY, Refusal(self.rule(pos), "exactly {} men are freed", (self.points,))
        for nation, points in by_power(held):
            later = sum(more for other, more in by_power(held) if other > nation)
            values = range(max(0, left - later), min(left, points) + 1)
            count = int((yield Slot("tp", values, refuse, index=nation, canon=(values[-1],))))
            left -= count
            tp += bag(nation, count)
        return Name(tp)

    def answer(self, draft: Draft, actor: Side, action: Name) -> None:
        self._free(draft, action.tp)

    def _free(self, draft: Draft, tp: int) -> None:
        draft.pop()
        draft.prisoners = with_side_value(draft.prisoners, OTHER[self.side], draft.prisoners[OTHER[self.side]] - tp)
        due = draft.clock + WAIT * draft.options.einhorn  # V7.3; in the base game step C of this turn (R14.2)
        draft.coming = (*draft.coming, *(Coming(due, nation, points) for nation, points in by_power(tp)))
        if tp:
            draft.emit(PrisonersFreed(side=self.side, tp=tp, due=due, by=self.rule(draft)))


def free_leader(draft: Draft, leader: LeaderId) -> None:
    """Send a captured leader home (R14.3)."""
    side = draft.side(leader)
    held = tuple(captive for captive in draft.captives[OTHER[side]] if captive.leader != leader)
    draft.captives = with_side_value(draft.captives, OTHER[side], held)
    draft.set_roster(leader, COMING)
    due = draft.clock + WAIT * draft.options.einhorn  # V7.3
    draft.coming = (*draft.coming, Coming(due, draft.leader(leader).nation, 0, leader))
    draft.emit(PrisonersFreed(side=side, tp=EMPTY, leaders=(leader,), due=due, by="R14.3"))


class LeaderClaim(
    SideDecision[Claim],
    rule="R14.3",
    name="Leaders to be freed",
    prompt="{0.count} of your leaders return: claim one",
    neutral=None,
):
    """Leaders are exchanged one for one, as many as possible; the owner names them (R14.3)."""

    count: int

    def _held_prisoners(self, pos: Position) -> list[LeaderId]:
        return [captive.leader for captive in pos.captives[OTHER[self.side]]]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if 0 < self.count < len(self._held_prisoners(pos)) else ()

    def step(self, draft: Draft) -> None:
        draft.pop()
        for leader in self._held_prisoners(draft)[: self.count]:
            free_leader(draft, leader)

    def script(self, pos: Position, actor: Side) -> Script[Claim]:
        yield Slot("do", ("claim",), Refusal("R14.3", "claim one of your leaders"))
        refuse = Refusal("R14.3", "the enemy does not hold him")
        return Claim(as_leader((yield Slot("leader", sorted(self._held_prisoners(pos)), refuse))))

    def answer(self, draft: Draft, actor: Side, action: Claim) -> None:
        draft.pop()
        free_leader(draft, action.leader)
        if self.count > 1:
            draft.push(LeaderClaim(self.side, self.count - 1))


class Ransoming(
    SideDecision[Ransom | Done],
    rule="R14.3",
    name="Ransom",
    prompt=f"Ransom a leader for {RANSOM} prisoners",
    neutral=Done(),
):
    """A side may offer five prisoners for a captured leader (R14.3); once for each leader in a turn."""

    asked: tuple[int, ...] = ()

    def open(self, pos: Position) -> list[LeaderId]:
        held = pos.captives[OTHER[self.side]] if total(pos.prisoners[self.side]) >= RANSOM else ()
        return sorted(captive.leader for captive in held if captive.leader not in self.asked)

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,) if self.open(pos) else ()

    def script(self, pos: Position, actor: Side) -> Script[Ransom | Done]:
        if (yield Slot("do", ("done", "ransom"), Refusal("R14.3", "choose ransom or done"))) == "done":
            return Done()
        refuse = Refusal("R14.3", "the enemy does not hold him or has already refused")
        return Ransom(as_leader((yield Slot("leader", self.open(pos), refuse))))

    def answer(self, draft: Draft, actor: Side, action: Ransom | Done) -> None:
        if isinstance(action, Done):
            draft.pop()
            return
        draft.amend(self, asked=(*self.asked, action.leader))
        name = draft.leader(action.leader).name
        draft.emit(Proposed(side=self.side, what=f"offers {RANSOM} prisoners for {name}", by=self.RULE))
        draft.push(Consenting(OTHER[self.side], RANSOM, action.leader))


@memoized("lasting")
def escorts(pos: Position, side: Side) -> dict[LeaderId, list[LeaderId]]:
    """Return the wagons with freed men, and the leaders in their hex whom these could join (V7.4)."""
    wagons = [n for n in pos.data.wagons_of[side] if n in pos.units and pos.units[n].tp]
    found = {wagon: [n for n in comrades(pos, wagon) if most_joining(pos, wagon, n)] for wagon in wagons}
    return {wagon: able for wagon, able in found.items() if able}


def comrades(pos: Position, wagon: LeaderId) -> list[LeaderId]:
    """Return the leaders of its men's nations in a wagon's force, from the highest Sr down (V7.4)."""
    unit = pos.units[wagon]
    there = [
        other.number
        for other in force_at(pos, unit.hex, pos.side(wagon), unit.inside)
        if of(unit.tp, pos.leader(other.number).nation) and not pos.data.is_wagon(other.number)
    ]
    return by_seniority(pos, there)


def most_joining(pos: Position, wagon: LeaderId, leader: LeaderId) -> int:
    """Return the freed men of a wagon that may join a leader (V7.4, V2.2), even over his limit (V2.1)."""
    men = of(pos.units[wagon].tp, pos.leader(leader).nation)
    return next((n for n in range(men, 0, -1) if why_not_gain(pos, leader, n) is None), 0)


def script(pos: Position, able: dict[LeaderId, list[LeaderId]]) -> Script[Transfer]:
    refuse = Refusal("V7.4", "freed men join a leader of their nation in the hex of their wagon")
    giver = as_leader((yield Slot("giver", sorted(able), refuse)))
    taker = as_leader((yield Slot("taker", able[giver], refuse)))
    most = most_joining(pos, giver, taker)
    return Transfer(giver, taker, int((yield Slot("points", range(1, most + 1), refuse, canon=(most,)))))


def join_leader(draft: Draft, action: Transfer) -> None:
    giver, taker = LeaderId(action.giver), LeaderId(action.taker)
    part = bag(draft.leader(taker).nation, action.points)
    leader = draft.change(taker, tp=draft.units[taker].tp + part)
    wagon = draft.change(giver, tp=draft.units[giver].tp - part)
    if not wagon.sp and not wagon.tp:
        draft.remove(giver)
    side = draft.side(taker)
    draft.give_away(side)  # a wagon may be used up
    units, points = (taker,), (leader.strength,)
    draft.emit(Arranged(side=side, hex=leader.hex, units=units, points=points, garrison=-1, by="V7.4"))
