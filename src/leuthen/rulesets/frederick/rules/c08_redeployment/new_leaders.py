"""C8.1–C8.5, C8.9: new leaders, and leaders sacked."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import CHANCE, WATCHER, ActorId, Side, as_side
from leuthen.rulesets.frederick.model.actions import Draw, Sack
from leuthen.rulesets.frederick.model.data import AUSTRIA, MINORS, NOBODY, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, never
from leuthen.rulesets.frederick.model.events.grand import LeaderDrawn, LeadersRolled, Sacked
from leuthen.rulesets.frederick.model.stacks import changed, locate
from leuthen.rulesets.frederick.model.state import CAPTIVE, GONE, ON_MAP, POOL, WAITING, Draft, Position, enemy_of
from leuthen.rulesets.frederick.rules.c08_redeployment.placing import is_leader
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.strength import LeaderId, PowerId, as_leader

ORDER: Final = (AUSTRIA, PRUSSIA, *MINORS)
"""Who rolls, one after the other (C8.9)."""


def leaders_in(pos: Position, power: PowerId, *places: int) -> tuple[LeaderId, ...]:
    """The leaders of a power that are in one of these places, in the order of the data."""
    return tuple(n for n in pos.data.generals[power] if pos.roster[n] in places)


class LeaderRolls(Decision, rule="C8.9", name="New leaders"):
    """Every power at war rolls for leaders, draws and sacks before the next one does (C8.1, C8.9)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        """The next power; neutral and surrendered ones do not roll."""
        if self.done == len(ORDER):
            draft.pop()
            return
        power = ORDER[self.done]
        draft.swap(LeaderRolls(self.done + 1))
        if draft.side_of(power) != NOBODY:
            draft.push(LeaderRoll(power))


class LeaderRoll(DieRoll, rule="C8.1", name="Leader roll"):
    """A power's die on the Leader Table (C8.1)."""

    power: PowerId

    def rolled(self, draft: Draft, die: int) -> None:
        if draft.data.powers[self.power].most_leaders:
            return one_leader(draft, self.power, die)
        new, sack = draft.data.leader_table[die - 1]
        here = leaders_in(draft, self.power, ON_MAP)
        sacks = sack > 0 and len(here) > 1  # C8.3: not the only one
        wanted = new if here else max(1, new)  # C8.4
        drawn = min(wanted, len(leaders_in(draft, self.power, POOL)))  # C8.9: a short pool gives what it has
        note = "none is left on the map" if not here and not new else "the pool is short" if drawn < new else ""
        self._tell(draft, die, drawn, sacks, note)
        if sacks:
            draft.push(Sacking(self.power))
        if drawn:
            draft.push(LeaderDraw(self.power, drawn))
        elif not here:
            send_nameless(draft, self.power)
        return None

    def _tell(self, draft: Draft, die: int, new: int, sacks: bool, note: str) -> None:
        side = draft.side_of(self.power)
        draft.emit(
            LeadersRolled(
                side=side,
                by={"none is left on the map": "C8.4", "the pool is short": "C8.9"}.get(note, ""),
                power=self.power,
                die=die,
                new=new,
                sack=sacks,
                note=note,
            )
        )

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Leaders: {pos.data.powers[self.power].name}"


def one_leader(draft: Draft, power: PowerId, die: int) -> None:
    """Sweden and the Empire: the die changes nothing; who was killed or captured returns (C8.5)."""
    side = draft.side_of(power)
    note = "the die changes nothing"
    draft.emit(LeadersRolled(side=side, by="C8.5", power=power, die=die, new=0, sack=False, note=note))
    if len(leaders_in(draft, power, ON_MAP, WAITING)) >= draft.data.powers[power].most_leaders:
        return
    gone = leaders_in(draft, power, GONE)
    if gone:
        come_into_play(draft, gone[0], "returns")
    elif leaders_in(draft, power, POOL):
        draft.push(LeaderDraw(power, 1))
    else:
        send_nameless(draft, power)


def send_nameless(draft: Draft, power: PowerId) -> None:
    """A power with no leader on the map and none in its pool receives one with ratings 0 (C8.4)."""
    leader = draft.data.nameless(power)
    if draft.roster[leader] == WAITING:
        return
    if draft.roster[leader] == CAPTIVE:
        first, second = (tuple(n for n in held if n != leader) for held in draft.captives)
        draft.captives = (first, second)
    come_into_play(draft, leader, "nameless")


def come_into_play(draft: Draft, leader: LeaderId, how: str) -> None:
    """A leader waits to be placed; at equal rank who came later is junior, and who returns keeps his place (C8.2)."""
    power = draft.leader(leader).power
    draft.set_roster(leader, WAITING)
    if how != "returns":
        arrival = list(draft.arrival)
        arrival[leader] = max(arrival) + 1
        draft.arrival = tuple(arrival)
    draft.emit(
        LeaderDrawn(
            side=draft.side_of(power),
            by={"returns": "C8.5", "nameless": "C8.4"}.get(how, ""),
            power=power,
            leader=leader,
            how=how,
        )
    )


class LeaderDraw(Decision[Draw], rule="C8.2", name="Leader draw"):
    """New leaders are drawn from the pool, all equally likely, and must be played (C8.2, C8.9)."""

    power: PowerId
    left: int

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (CHANCE,)

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        pool = leaders_in(pos, self.power, POOL)
        return tuple((Draw(leader), Fraction(1, len(pool))) for leader in pool)

    def answer(self, draft: Draft, actor: Side, action: Draw) -> None:
        """He waits to be placed; perhaps another follows."""
        draft.pop()
        come_into_play(draft, action.leader, "drawn")
        if self.left > 1:
            draft.push(LeaderDraw(self.power, self.left - 1))

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"A leader is drawn for {pos.data.powers[self.power].name}"


class Sacking(Decision[Sack], rule="C8.3", name="Sacking", neutral=None):
    """The owner removes one of the power's leaders on the map for good (C8.3)."""

    power: PowerId

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (as_side(pos.side_of(self.power)),)

    def script(self, pos: Position, actor: Side) -> Script[Sack]:
        """A leader on the map; those drawn in this phase are not on it yet."""
        yield Slot("do", ("sack",), never("C8.3", "«{}» is not for now: a leader must be sacked"))
        leaders = leaders_in(pos, self.power, ON_MAP)
        leader = yield Slot("leader", leaders, lambda token: self._not_him(pos, token))
        return Sack(as_leader(leader))

    def _not_him(self, pos: Position, token: Token) -> Refusal:
        if not is_leader(token, pos):
            return Refusal("O2.2", "there is no such leader")
        name, power = pos.leader(token).name, pos.data.powers[self.power].name
        if pos.leader(token).power != self.power:
            return Refusal("C8.3", "{} is no leader of {}", (name, power))
        return Refusal("C8.3", "{} is not on the map", (name,))

    def answer(self, draft: Draft, actor: Side, action: Sack) -> None:
        draft.pop()
        sack(draft, action.leader)
        resolve_hexes(draft)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"Sack one leader of {pos.data.powers[self.power].name}"


def sack(draft: Draft, leader: LeaderId) -> None:
    """A leader leaves the map for good; if he was seen in command, his successor is now seen."""
    stack = locate(draft, leader)
    assert stack is not None
    power = draft.leader(leader).power
    rest = tuple(number for number in stack.leaders if number != leader)
    draft.put(changed(draft, stack, stack.sp, rest, (stack.low, stack.high, stack.since)))
    draft.set_roster(leader, GONE)
    draft.emit(Sacked(side=stack.side, power=power, leader=leader))
    if leader == stack.commander:
        draft.learn(enemy_of(stack.side), WATCHER)
