"""The forms of orders, with their questions, words and summaries."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from leuthen.engine.choice import STOP, Action, ByKind, Slot, Token
from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.knowledge import make_view
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import Names, total_of
from leuthen.rulesets.campaigns.model.forces import commander, field_tp, is_friendly, strength, troops_at, wagons_at
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.odds import reaction_odds
from leuthen.rulesets.campaigns.orders import GRAMMAR
from leuthen.rulesets.campaigns.rules import r07_reaction as reaction
from leuthen.rulesets.campaigns.rules import r09_supply as supply
from leuthen.rulesets.campaigns.rules.r03_turn import Shares
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r05_walk import Pace, allowance
from leuthen.rulesets.campaigns.rules.r07_reaction import ReactionWindow
from leuthen.rulesets.campaigns.rules.r11_siege import MOST_BREACHES
from leuthen.rulesets.campaigns.rules.r12_battle import Declaring, price
from leuthen.rulesets.campaigns.rules.r12_fight import current
from leuthen.rulesets.campaigns.screen.forces import Report, ratings
from leuthen.rulesets.campaigns.screen.layers import GroupLeg
from leuthen.rulesets.campaigns.screen.scene import siege_numbers
from leuthen.screen.figures import percent_text, plus
from leuthen.screen.forms import HALT, INSIDE, FormWords, Leg, OrderFormBuilder, first_available
from leuthen.screen.values import Choice
from leuthen.wargame.board import Hex, as_hex, hex_name
from leuthen.wargame.grammar import kinds_of
from leuthen.wargame.strength import LeaderId, as_power

WORDS: Final[Mapping[str, str]] = {
    "done": "End this decision",
    "march": "March",
    "sortie": "Make a sortie",
    "go": "March on",
    "halt": "End the march here",
    "out": "Come out into the field",
    "seize": "Take the place",
    "absorb": "Absorb SP",
    "fill": "Load from the depot",
    "leave": "Leave TP in the garrison",
    "take": "Take TP out of the garrison",
    "drop": "Leave leaders here",
    "force": "Try a forced march",
    "attack": "Attack",
    "hold": "Do nothing",
    "react": "Try to react",
    "move": "Go",
    "join": "Come out and join the battle",
    "declare": "Declare",
    "lose": "Spread the losses",
    "withdraw": "Break off",
    "retreat": "Retreat",
    "besiege": "Roll for a siege",
    "assign": "Place TP",
    "appear": "Place the leader",
    "load": "Load from a wagon",
    "build": "Turn a wagon into a depot",
    "remove": "Remove a depot",
    "create": "Make a wagon",
    "feed": "Feed the force",
    "starve": "Let it starve",
    "arrange": "Redistribute TP",
    "hand": "Hand over SP",
    "name": "Choose the freed men",
    "claim": "Take back a leader",
    "propose": "Propose an exchange",
    "ransom": "Ransom a leader",
    "agree": "Agree",
    "refuse": "Refuse",
    "quarter": "Go into winter quarters",
    "transfer": "Transfer TP",
    "found": "Set up a depot",
    "bring": "Bring in a leader",
    "dismiss": "Dismiss a leader",
    "inside 0": "in the field",
    "inside 1": "inside the place",
    "forage 0": "pay SP",
    "forage 1": "go hungry: −2 MP, no forced march, no reaction",
    "concentrate 0": "do not concentrate",
    "concentrate 1": "concentrate: +1 on all combat rolls",
    "intense 0": "ordinary intensity",
    "intense 1": "high intensity: own roll +2, enemy's +1",
}
"""Labels of actions and flags."""

SPECIAL: Final[Mapping[tuple[str, str], str]] = {
    ("orders", "done"): "End this chit",
    ("marching", "halt"): "End the march here",
    ("meeting", "hold"): "Share the hex",
    ("rousing", "attack"): "Attack (roll)",
    ("rousing", "hold"): "Leave the enemy alone",
    ("reaction-window", "hold"): "Let the enemy pass",
    ("reacting", "hold"): "Stay here",
    ("joining", "hold"): "Stay inside",
    ("declaring", "hold"): "Declare nothing",
    ("leaving", "hold"): "Fight on",
    ("forced-marches", "done"): "End forced marches",
    ("siege-step", "done"): "End the siege step",
    ("passing", "done"): "Do nothing more here",
    ("occupying", "leave"): "Put a garrison in",
    ("occupying", "done"): "End the garrison",
    ("supply-step", "done"): "End the supply step",
    ("arranging", "done"): "End the turn",
    ("proposing", "done"): "No exchange",
    ("ransoming", "done"): "No ransom",
    ("council", "done"): "End this council",
}
"""Labels that differ in a decision."""

ASKED: Final[Mapping[str, str]] = {
    "do": "Action",
    "leader": "Commander",
    "companions": "Leaders to march along",
    "leaders": "Leaders",
    "forage": "Out of depot range",
    "inside": "In the field or inside",
    "hex": "Where",
    "nation": "Nation of the TP",
    "wagon": "Source",
    "giver": "From",
    "taker": "To",
    "points": "TP",
    "concentrate": "Concentration",
    "intense": "Intensity",
}

ASKED_FOR: Final[Mapping[tuple[str, str], str]] = {
    ("sortie", "leader"): "Leader of the sortie",
    ("force", "leader"): "Leader of the forced march",
    ("react", "leader"): "Leader who reacts",
    ("react", "companions"): "Leaders who go with him",
    ("leave", "leader"): "Leader who leaves TP",
    ("take", "leader"): "Leader who takes TP",
    ("load", "leader"): "Leader who loads",
    ("load", "wagon"): "Wagon",
    ("load", "points"): "SP",
    ("absorb", "points"): "SP",
    ("hand", "points"): "SP",
    ("build", "wagon"): "Wagon",
    ("join", "leaders"): "Leaders to come out",
    ("drop", "companions"): "Leaders who stay",
    ("besiege", "hex"): "Siege",
    ("create", "hex"): "Depot",
    ("remove", "hex"): "Which depot",
    ("found", "hex"): "Place",
    ("quarter", "hex"): "Place",
    ("arrange", "hex"): "Which force",
    ("assign", "leader"): "Leader",
    ("appear", "leader"): "Leaders",
    ("claim", "leader"): "Leader who returns",
    ("ransom", "leader"): "Leader to ransom",
    ("bring", "leader"): "Leader who comes",
    ("bring", "hex"): "Place",
    ("dismiss", "leader"): "Leader to dismiss",
    ("propose", "points"): "Prisoners",
}
"""Questions by kind of action."""

BUSY: Final = Choice(HALT.token, HALT.label, "and end the march there")
"""The halt where a place or a wagon offers more to do."""


class Questions(OrderFormBuilder[Pace]):
    """The questions that one position asks of one side."""

    KINDS = kinds_of(GRAMMAR)
    WORDS = FormWords(WORDS, SPECIAL, ASKED, ASKED_FOR)

    def __init__(self, data: GameData, state: State, actor: Side) -> None:
        super().__init__(data.book, str(state.frames[-1].__struct_config__.tag))
        self.data = data
        key = "seen by", actor, state.frames
        self.seen = state.known.get_or_compute(key, lambda: Report(data, make_view(state, actor), state))
        """The position as the actor sees it, cached as a form is filled in many times."""
        self.pos = self.seen.pos
        self.actor = actor
        self.names = Names(data)
        self.frame: Any = state.frames[-1]

    @property
    def start(self) -> str:
        leader = self.pos.chosen(self.given.get("leader"))
        if leader is not None:
            return hex_name(leader.hex)
        return hex_name(self.walk.here) if self.walk is not None and not self.steps else ""

    def walk_of(self, slot: Slot) -> Pace | None:
        return slot.about if isinstance(slot.about, Pace) else None

    def leg_of(self, walk: Pace) -> Leg:
        return GroupLeg(walk, self.data.board.steps)

    def price(self, walk: Pace, there: Hex) -> int:
        return walk.left - walk.onward(walk.here, walk.left)[there]

    def halts(self) -> tuple[Choice, ...]:
        if self.end is None or self.do not in ("march", "go"):
            return ()
        here = self.end.here
        if not self.steps or not (here in self.data.strongholds or wagons_at(self.pos, here, self.actor)):
            return () if self.steps and self.force(here, OTHER[self.actor]) else (HALT,)
        return (BUSY, INSIDE) if is_friendly(self.pos, here, self.actor) and self.data.kind_at(here).inside else (BUSY,)

    def force(self, here: Hex, side: Side) -> str:
        """Return the force in the field of a hex: "Daun, 38 TP", or ""."""
        units = troops_at(self.pos, here, side, False)
        return self.seen.force(units) if units else ""

    # --- the text of a form -------------------------------------------------------------------------------------------

    def label(self, slot: Slot) -> str:
        if slot.name == "tp" and slot.index is not None:
            return f"TP of {self.names.nation(slot.index)}"
        if slot.name == "points" and slot.index is not None and self.do == "arrange":
            stand = as_hex(self.given["hex"]), bool(self.given["inside"]), as_power(self.given["nation"])
            units = Shares(self.pos, stand).units
            return f"TP of {self.names.unit(units[slot.index].number) if slot.index < len(units) else 'the garrison'}"
        if slot.name == "points" and slot.index is not None:
            leaders = self.frame.losers(self.pos)
            return f"{self.names.unit(leaders[slot.index])} loses" if slot.index < len(leaders) else "TP lost"
        return super().label(slot)

    def as_word(self, slot: Slot, token: Token) -> Choice:
        if isinstance(self.frame, ReactionWindow) and token == "react":
            able = [(number, self._chance(self.frame, number)) for number in self.frame.able(self.pos)]
            odds = ", ".join(f"{self.names.unit(number)} {percent_text(chance)}" for number, chance in able)
            label = f"Try to react: {odds}" if able else "Try to react"
            return Choice(str(token), label, is_hopeless=bool(able) and not any(chance for _, chance in able))
        if token == "hold" and isinstance(self.frame, Declaring):
            # concentration, the only declaration, may cost nothing (V3.3)
            is_free = (True, False) in self.frame.choices(self.pos) and not price(self.pos, self.frame.side)
            return Choice(str(token), self.WORDS.word_for(self.tag, str(token)), is_hopeless=is_free)
        if not isinstance(self.frame, supply.Feeding) or token not in ("feed", "starve"):
            return super().as_word(slot, token)
        chief = commander(self.pos, self.frame.units(self.pos))
        who = self.names.unit(chief) if chief >= 0 else "the force"
        return Choice(str(token), f"Feed {who} ({self.frame.due} SP)" if token == "feed" else f"Let {who} starve")

    def as_leader(self, slot: Slot, token: Token) -> Choice:
        number = int(token) if isinstance(token, int) else STOP
        if number >= do.GARRISON:
            here = hex_name(number - do.GARRISON)
            return Choice(str(token), f"the garrison of {self.names.hex(Hex(number - do.GARRISON))}", place=here)
        if not 0 <= number < len(self.data.leaders):
            return Choice(str(token), "the fort" if slot.name == "wagon" else "the garrison")
        unit = self.pos.chosen(number)
        label = f"{self.names.unit(LeaderId(number))} {ratings(self.data.leaders[number])}"
        if unit is None:
            return Choice(str(token), label)
        parts = [f"{unit.strength} TP"] * bool(unit.tp) + [f"{unit.sp} SP"] * bool(unit.sp)
        if slot.name == "leader" and isinstance(self.frame, Orders) and unit.number in slot.values:
            parts.append(f"{allowance(self.pos, [unit])} MP")
        if slot.name == "leader" and isinstance(self.frame, ReactionWindow) and unit.number in slot.values:
            parts.append(percent_text(self._chance(self.frame, unit.number)))
        return Choice(str(token), label, ", ".join(parts), hex_name(unit.hex))

    def _chance(self, window: ReactionWindow, leader: LeaderId) -> Fraction:
        return reaction_odds(self.pos, leader, window.hex, window.side).chance

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        here = as_hex(token)
        words = [foe] if (foe := self.force(here, OTHER[self.actor])) else []
        if self.do == "besiege":
            words.append(f"{self.seen.tp_inside(here, OTHER[self.actor])} inside")
        elif self.do in ("arrange", "quarter", "assign") and (own := self.force(here, self.actor)):
            words.append(own)
        label = ": ".join([self.names.hex(here), *([", ".join(words)] if words else [])])
        return Choice(hex_name(here), label, place=hex_name(here))

    def find(self, slot: Slot, place: str) -> Token | None:
        where, _, which = place.partition("-")
        here = self.hex_of(where)
        if here is None:
            return None
        if self.kind(slot) == "hex":
            return here
        if self.kind(slot) != "leader":
            return None
        inside = {"f": False, "i": True}.get(which[-1:]) if which else None
        units = [u for u in self.pos.units.values() if u.hex == here and inside in (None, u.inside)]
        strongest = sorted(units, key=lambda unit: -unit.strength)
        return first_available(slot, [*(unit.number for unit in strongest), do.GARRISON + here, STOP])

    def preset(self, slot: Slot) -> Token | None:
        kind = self.kind(slot)
        if kind == "count":
            return slot.canon[0] if slot.canon else max(slot.values)
        if slot.name == "concentrate":
            return 1 if 1 in slot.values else 0
        return 0 if kind == "flag" and 0 in slot.values else None


MOST: Final = 6
"""The most enemies that are named."""


def summary_of(asked: Questions, action: Action | None) -> tuple[str, ...]:
    make = _SUMMARIES.get(type(action)) if action is not None else None
    told = make(asked, action) if make is not None else ()
    return (told,) if isinstance(told, str) else tuple(told)


def _group(asked: Questions, numbers: Sequence[LeaderId]) -> list[Unit]:
    return [asked.pos.units[number] for number in numbers]


def _who(asked: Questions, units: Sequence[Unit]) -> str:
    chief = commander(asked.pos, units)
    names = asked.names.units(unit.number for unit in units)
    if chief < 0:
        return f"{names}, without TP"
    who = f"{asked.names.unit(chief)} {ratings(asked.pos.leader(chief))}"
    return f"{who} commands {strength(units)} TP; {supply.stock(units)} SP carried"


def _march(asked: Questions, action: do.March | do.Go) -> Iterator[str]:
    if isinstance(action, do.March):
        units = _group(asked, (action.leader, *action.companions))
        yield _who(asked, units)
    else:
        units = _group(asked, asked.frame.members(asked.pos))
    yield from _payment(asked, units, forage=action.forage)
    yield from _way(asked, units)


def _payment(asked: Questions, units: Sequence[Unit], *, forage: bool) -> Iterator[str]:
    due = supply.owed_by(asked.pos, units).most
    if due and forage:
        yield f"Out of depot range, {due} SP unpaid: hungry this turn (V3.5)"
    elif due:
        yield f"Out of depot range: pays {due} of {supply.stock(units)} SP at its first step (V3.5)"


def _way(asked: Questions, units: Sequence[Unit]) -> Iterator[str]:
    if not asked.steps:
        yield (
            "It stays in its hex and may attack there (R4.4)"
            if field_tp(asked.pos, units[0].hex, OTHER[asked.actor])
            else "It stays in its hex (R4.4)"
        )
        return
    spent = sum(int(price) for _, price in asked.steps)
    yield f"{spent} MP: {', '.join(f'{hex_name(here)} {price}' for here, price in asked.steps)} (R5.1)"
    end = asked.steps[-1][0]
    foe = asked.force(end, OTHER[asked.actor])
    if foe:
        yield f"At {asked.names.hex(end)}: {foe}. The march stops there and may attack (R5.3, R6.1)"
    place = asked.data.strongholds.get(end)
    if place is not None and not is_friendly(asked.pos, end, asked.actor):
        yield f"{place.name} is not yours: if undefended, taking it costs 1 MP (R5.6)"
    if strength(units):
        due = supply.need(asked.pos, strength(units))
        is_fed = supply.is_near(asked.pos, end, asked.actor, False)
        what = "in depot range (R9.6)" if is_fed else f"out of depot range: {due} SP needed there (V3)"
        yield f"{hex_name(end)} is {what}"
        yield from _reactors(asked, [here for here, _ in asked.steps])


def _reactors(asked: Questions, way: Sequence[Hex]) -> Iterator[str]:
    """Yield the enemy leaders who may react along the path, each with his best chance and the hex (R7)."""
    pos, foe = asked.pos, OTHER[asked.actor]
    able = [(number, unit.hex) for number, unit in pos.units.items() if not reaction.why_not_react(pos, unit, foe)]
    best: dict[LeaderId, tuple[int, Hex]] = {}
    for here in way:
        near = reaction.reaction_range(pos, here, foe)
        for number in (number for number, stands in able if stands in near):
            added = total_of(reaction.modifiers(pos, number, here, foe))
            hits = sum(reaction.is_success(pos, number, die, added) for die in range(1, 7))
            if hits > best.get(number, (0, here))[0]:
                best[number] = hits, here
    if best:
        ranked = sorted(best.items(), key=lambda found: -found[1][0])
        named = [f"{asked.names.unit(n)} {hits}/6 at {hex_name(here)}" for n, (hits, here) in ranked]
        more = f", and {len(named) - MOST} more" if len(named) > MOST else ""
        yield f"May react: {', '.join(named[:MOST])}{more} (R7.3)"


def _react(asked: Questions, action: do.React) -> Iterator[str]:
    frame, units = asked.frame, _group(asked, (action.leader, *action.companions))
    yield _who(asked, units)
    yield from _payment(asked, units, forage=False)
    found = reaction.modifiers(asked.pos, action.leader, frame.hex, frame.side)
    marks = [f"{plus(value)} {name}" for name, value in found]
    yield f"{', '.join(['One die', *marks])}: {asked.pos.leader(action.leader).initiative} or less, a 6 fails (R7.3)"


def _move(asked: Questions, action: do.Move) -> Iterator[str]:
    end = action.path[-1] if action.path else asked.pos.units[asked.frame.group[0]].hex
    if end == asked.frame.hex:
        yield f"It attacks at {asked.names.hex(end)} (R7.4)"
    elif action.inside:
        yield f"It goes inside {asked.names.hex(end)} (R7.4)"


def _withdraw(asked: Questions, action: do.Withdraw) -> str:
    where = asked.names.hex(current(asked.pos).hex)
    if asked.pos.options.einhorn:
        return f"One last round at {where}, own roll −1, enemy's +1; then the retreat (V6.3, V8.4)"
    return f"The force retreats from {where} at once (R12.8)"


def _feed(asked: Questions, action: do.Feed) -> str:
    frame = asked.frame
    return f"Pays {frame.due} of {supply.stock(supply.payers(asked.pos, frame.side, frame.place))} SP (R9.7)"


def _force(asked: Questions, action: do.Force) -> str:
    command = asked.pos.leader(action.leader).command
    return f"Roll {command} or less for 4 MP; {command + 1} costs 5 % of his TP; a 6 fails (R8)"


def _leave(asked: Questions, action: do.Leave | do.Take) -> str:
    after = asked.pos.units[action.leader].strength + (action.points if isinstance(action, do.Take) else -action.points)
    return f"{asked.names.unit(action.leader)} then has {after} TP (R10.4)"


def _load(asked: Questions, action: do.Load) -> str:
    unit = asked.pos.units[action.leader]
    carried = f"{unit.sp + action.points} of {supply.load_limit(asked.pos, unit)} SP"
    return f"{asked.names.unit(action.leader)} then carries {carried} (R9.5)"


def _besiege(asked: Questions, action: do.Besiege) -> Iterator[str]:
    siege = asked.pos.sieges.get(action.hex, Siege())
    yield f"Siege turn {siege.turns + 1}, {siege.breaches} of {MOST_BREACHES} breaches so far (R11.2, R11.3)"
    yield from siege_numbers(asked.pos, action.hex, asked.actor, siege)


def _retreat(asked: Questions, action: do.Retreat) -> str:
    wagons = " Each wagon with it is lost on a 1 or 2 (R12.9)." if action.path else ""
    end = action.path[-1] if action.path else asked.frame.hex
    return f"The force ends {'inside' if action.inside else 'at'} {asked.names.hex(end)}.{wagons}"


_SUMMARIES: Final[ByKind[Action, Questions, Iterator[str] | str]] = {
    do.March: _march,
    do.Go: _march,
    do.React: _react,
    do.Move: _move,
    do.Declare: lambda asked, action: (
        f"It costs {price(asked.pos, asked.frame.side) * (action.concentrate + action.intense)} SP (R12.2)"
    ),
    do.Withdraw: _withdraw,
    do.Feed: _feed,
    do.Starve: lambda asked, action: "The force is out of supply (R9.7, V3.5)",
    do.Force: _force,
    do.Leave: _leave,
    do.Take: _leave,
    do.Load: _load,
    do.Besiege: _besiege,
    do.Retreat: _retreat,
}
