"""The words of this rule set's cases (`wargame.case_words.CaseBook`): dice, and what EXPECT says of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OwnerId, as_side, as_viewer
from leuthen.rulesets.frederick.cases.position import (
    SIDE_WORDS,
    CaseMoment,
    Words,
    bag_text,
    men_text,
    names_text,
)
from leuthen.rulesets.frederick.cases.position import build_position as build_position
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.pieces import DONE, POOL, SIDES, WAITING, SeenStack, Stack
from leuthen.rulesets.frederick.model.state import ROSTER_WORDS
from leuthen.rulesets.frederick.rules.c12_victory import victory_points
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching
from leuthen.rulesets.frederick.rules.o05_march.walk import allowance
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged, is_supplied
from leuthen.wargame import case_words
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import EMPTY, LeaderId, bag, total


def _owner(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.side()
    if here not in moment.data.fortresses:
        raise Invalid("there is no fortress")
    _owners = ("prussia", "austria", "nobody")
    case_words.expect(
        f"owner {hex_name(here)} {_owners[side]}", f"owner {hex_name(here)} {_owners[moment.state.owners[here]]}"
    )


def _prisoners(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`prisoners prussia 3 Austria Browne`: all that Prussia holds; `no prisoners prussia`."""
    side = words.choose(SIDE_WORDS[:2], "side")
    found = men_text(moment.data, moment.state.prisoners[side], moment.state.captives[side])
    case_words.expect(f"prisoners {men_text(moment.data, *words.men())}", f"prisoners {found}")


def _waiting(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`waiting 25 Prussia Daun`: all SP and leaders that wait to be placed; `no waiting`."""
    leaders = [leader for leader in moment.data.leader_ids if moment.state.roster[leader] == WAITING]
    found = men_text(moment.data, moment.state.waiting, leaders)
    case_words.expect(f"waiting {men_text(moment.data, *words.men())}", f"waiting {found}")


def _depot(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`depot Prussia 1720 [begun]`, `no depot 1720`."""
    power = words.power() if words.is_power() else -1
    here = words.hex()
    begun = bool(words.has("begun"))
    depot = moment.state.depots.get(here)
    found = "no depot"
    if depot is not None:
        found = f"depot {moment.data.powers[depot.power].name} {'complete' if depot.complete else 'begun'}"
    if deny or power < 0:
        case_words.expect("no depot", found)
    else:
        case_words.expect(f"depot {moment.data.powers[power].name} {'begun' if begun else 'complete'}", found)


def _phasing(moment: CaseMoment, words: Words, deny: bool) -> None:
    case_words.expect(f"phasing {SIDE_WORDS[words.side()]}", f"phasing {SIDE_WORDS[moment.state.phasing]}")


def _leader(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`leader Schwerin gone`."""
    number, wanted = words.leader(), words.choose(ROSTER_WORDS, "place of a leader")
    name = moment.data.leaders[number].name
    found = ROSTER_WORDS[moment.state.roster[number]]
    case_words.expect(f"{name} {ROSTER_WORDS[wanted]}", f"{name} {found}")


def _pool(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`pool Austria Daun Beck`: just these; `pool Sweden`: nobody."""
    power, named = words.power(), words.leaders()
    found = [leader for leader in moment.data.generals[power] if moment.state.roster[leader] == POOL]
    case_words.expect(f"pool {names_text(moment.data, sorted(named))}", f"pool {names_text(moment.data, found)}")


def _mp(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`mp 2`: what the force on the march has left."""
    march, force = moment.state.frames[-1], moment.state.moving
    if not isinstance(march, Marching) or force is None:
        raise case_words.Unexpected("no force is on the march")
    left = max(0, allowance(moment.state, march.die, force) - march.spent(moment.state, force))
    case_words.expect(f"mp {words.number('movement points')}", f"mp {left}")


def _spent(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`spent Keith 3`, `spent Keith done`: the leader's MP in this phase (O5.14)."""
    leader = words.leader()
    wanted = DONE if words.has("done") else words.number("movement points")
    name, found = moment.data.leaders[leader].name, moment.state.spent.get(leader, 0)
    case_words.expect(f"{name} spent {wanted}", f"{name} spent {found}")


def _siege(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`siege 1623 2`: rolls made in this siege (O13.8); `no siege 1623`."""
    here = words.hex()
    wanted = 0 if deny else words.number("a number of rolls")
    case_words.expect(f"siege {wanted}", f"siege {moment.state.sieges.get(here, 0)}")


def _besieged(moment: CaseMoment, words: Words, deny: bool) -> None:
    here = words.hex()
    if here not in moment.data.fortresses:
        raise Invalid("there is no fortress")
    side = moment.state.owners[here]
    case_words.judge(side in SIDES and is_besieged(moment.state, here, side), deny, f"besieged {hex_name(here)}")


def _supplied(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`supplied 1623 prussia [field|inside]`, `not supplied 1623 prussia`."""
    here, side = words.hex(), as_side(words.choose(SIDE_WORDS[:2], "side"))
    stack = moment.state.at(here, side, words.has("field", "inside") == "inside")
    if stack is None:
        raise case_words.Unexpected(f"there is no stack in {hex_name(here)}")
    case_words.judge(is_supplied(moment.state, stack), deny, f"supplied {hex_name(here)} {SIDE_WORDS[side]}")


def _view(moment: CaseMoment, words: Words, deny: bool) -> None:
    """What a viewer sees: `view austria 1733 prussia field Prussia Frederick known 1+`, `view austria depot 1720`.

    Of a stack that he does not know wholly: its nation, its commander, what is known of its strength.
    """
    view = moment.ruleset.view(moment.state, as_viewer(words.choose(case_words.viewers_of(moment.ruleset), "viewer")))
    if words.has("depot"):
        _view_depot(view, words, deny)
        return
    place = words.hex(), words.side(), words.has("field", "inside") == "inside"
    found = [_seen(moment, one) for one in view.stacks if (one.hex, one.side, one.inside) == place]
    case_words.expect("" if deny else " ".join(words.words), "".join(found))
    words.words = []


def _view_depot(view: View, words: Words, deny: bool) -> None:
    here = words.hex()
    seen = view.depots.get(here)
    wanted = "" if deny else f"depot {'begun' if words.has('begun') else 'complete'}"
    case_words.expect(wanted, f"depot {'complete' if seen.complete else 'begun'}" if seen else "")


def _seen(moment: CaseMoment, stack: SeenStack) -> str:
    """`Prussia Frederick known 3-8`; `all` in front if nothing of the stack is hidden."""
    parts = [] if stack.sp is None else ["all"]
    parts.append(moment.data.powers[stack.nation].name)
    parts.append(names_text(moment.data, [stack.commander]) if stack.commander >= 0 else "leaderless")
    parts += ["alone"] if stack.alone else [f"known {case_words.band_text(stack.low, stack.high)}"]
    parts += [state for state in ("demoralized", "quartered") if getattr(stack, state)]
    return " ".join(parts)


def _german_states(moment: CaseMoment, words: Words, deny: bool) -> None:
    wanted = ("closed", "open")[words.choose(("closed", "open"), "state of the German States")]
    case_words.expect(wanted, "open" if moment.state.german_open else "closed")


def _invaded(moment: CaseMoment, words: Words, deny: bool) -> None:
    power = words.power()
    case_words.judge(power in moment.state.invaded, deny, f"{moment.data.powers[power].name} invaded in 1756")


DENIABLE: Final[Mapping[str, case_words.Fact]] = {
    **case_words.DENIABLE,
    "prisoners": _prisoners,
    "waiting": _waiting,
    "depot": _depot,
    "siege": _siege,
    "besieged": _besieged,
    "zone": case_words.hex_fact("zone", lambda moment, words, here: in_zone(moment.state, here, 0)),
    "supplied": _supplied,
    "invaded": _invaded,
    "view": _view,
}
PLAIN: Final[Mapping[str, case_words.Fact]] = {
    **case_words.PLAIN,
    "owner": _owner,
    "rp": case_words.field_fact("rp", "the Prussian RP", "the Austrian RP"),
    "vp": case_words.number_fact(
        "vp", lambda moment, words: victory_points(moment.state), "the Prussian VP", "the Austrian VP"
    ),
    "phasing": _phasing,
    "leader": _leader,
    "pool": _pool,
    "mp": _mp,
    "spent": _spent,
    "german-states": _german_states,
}


PLACES: Final = ("field", "inside", "moving")
STATES: Final = ("demoralized", "quartered")


def check(moment: CaseMoment, text: str) -> None:
    """Compares one statement. Raises Unexpected, or Invalid if it is not understood."""
    case_words.check_fact(
        moment, text, Words(moment.data, text), DENIABLE, PLAIN, _check_thing, _is_thing, "hex or town, no power"
    )


def _is_thing(words: Words) -> bool:
    """A power comes next, or the place of a stack."""
    return words.is_power() or words.is_hex()


def _check_thing(moment: CaseMoment, words: Words) -> None:
    """A power, or a stack."""
    if words.is_power() and " ".join(words.words[1:2]) in (*SIDE_WORDS, "surrendered"):
        _allegiance(moment, words)
    else:
        _stack(moment, words)


def _allegiance(moment: CaseMoment, words: Words) -> None:
    power = words.power()
    wanted = words.next("an allegiance")
    is_out = power in moment.state.surrendered
    found = "surrendered" if is_out else SIDE_WORDS[moment.state.allegiance[power]]
    name = moment.data.powers[power].name
    case_words.expect(f"{name} {wanted}", f"{name} {found}")


def _stack(moment: CaseMoment, words: Words) -> None:
    here = words.hex()
    if words.has("empty"):
        case_words.expect("", "; ".join(stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here))
        return
    side, place = words.side(), words.has(*PLACES) or "field"
    stack = _find(moment, here, side, place)
    if words.has("none"):
        case_words.expect("", stack_text(moment, stack) if stack is not None else "")
    elif stack is None:
        there = [stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here]
        raise case_words.Unexpected(
            f"expected a stack in {_where(here, side, place)}; there is {'; '.join(there) or 'nobody'}"
        )
    else:
        _compare(moment, words, stack)


def _find(moment: CaseMoment, here: Hex, side: OwnerId, place: str) -> Stack | None:
    if place == "moving":
        force: Stack | None = moment.state.moving
        return force if force is not None and (force.hex, force.side) == (here, side) else None
    found: Stack | None = moment.state.at(here, side, place == "inside")
    return found


class _Wanted:
    """What a line says of a stack: demoralization and quarters always count, anything else only if it is said."""

    def __init__(self, moment: CaseMoment, words: Words, stack: Stack) -> None:
        self.sp, self.strength = EMPTY, -1
        self.leaders: list[LeaderId] = []
        self.states: set[str] = set()
        self.leaderless = False
        while words.words:
            self._word(moment, words, stack)

    def _word(self, moment: CaseMoment, words: Words, stack: Stack) -> None:
        points = words.maybe_number()
        if points is not None:
            self.strength = points
        elif words.words[0].startswith("+"):
            words.words[0] = words.words[0][1:]
            points = words.number("a number of SP")
            self.sp += bag(words.power(), points)
        elif state := words.has(*STATES):
            self.states.add(state)
        elif words.has("leaderless"):
            self.leaderless = True
        elif mark := words.has(*_MARKS):
            _MARKS[mark](moment, words, stack)
        else:
            self.leaders.append(words.leader((*STATES, "leaderless", *_MARKS)))


def _compare(moment: CaseMoment, words: Words, stack: Stack) -> None:
    wanted = _Wanted(moment, words, stack)
    fault = ""
    if wanted.strength not in (-1, stack.strength):
        fault = f"{wanted.strength} SP"
    elif wanted.sp and wanted.sp != stack.sp:
        fault = bag_text(moment.data, wanted.sp)
    elif wanted.leaderless and stack.leaders:
        fault = "no leaders"
    elif wanted.leaders and not _are_leaders(stack, wanted.leaders):
        fault = f"{names_text(moment.data, wanted.leaders)}, the first in command"
    elif wanted.states != {state for state in STATES if getattr(stack, state)}:
        fault = " and ".join(sorted(wanted.states)) or "neither demoralized nor in quarters"
    if fault:
        raise case_words.Unexpected(f"expected {fault}; it is {stack_text(moment, stack)}")


def _are_leaders(stack: Stack, leaders: list[LeaderId]) -> bool:
    """All leaders, the commander first."""
    return sorted(leaders) == sorted(stack.leaders) and leaders[0] == stack.commander


def _where(here: Hex, side: OwnerId, place: str) -> str:
    return f"{hex_name(here)} {SIDE_WORDS[side]} {place}"


def stack_text(moment: CaseMoment, stack: Stack) -> str:
    """A stack in the words of a case."""
    first = (stack.commander, *(number for number in stack.leaders if number != stack.commander))
    parts = [_where(stack.hex, stack.side, PLACES[stack.inside]), bag_text(moment.data, stack.sp)]
    parts.append(names_text(moment.data, first) if stack.leaders else "leaderless")
    parts += [state for state in STATES if getattr(stack, state)]
    parts += [f"hungry {stack.hungry}"] if stack.hungry else []
    return " ".join([*parts, f"known {case_words.band_text(stack.low, stack.high)}", f"moved {total(stack.marched)}"])


def _known(moment: CaseMoment, words: Words, stack: Stack) -> None:
    text = words.next("a strength")
    if case_words.read_band("1+" if text == "unknown" else text) != (stack.low, stack.high):
        raise case_words.Unexpected(f"expected known {text}; it is {stack_text(moment, stack)}")


def _since(moment: CaseMoment, words: Words, stack: Stack) -> None:
    case_words.expect(f"since {words.number('a turn')}", f"since {stack.since}")


def _hungry(moment: CaseMoment, words: Words, stack: Stack) -> None:
    case_words.expect(f"hungry {words.number('a number of turns')}", f"hungry {stack.hungry}")


def _moved(moment: CaseMoment, words: Words, stack: Stack) -> None:
    points = words.maybe_number()
    case_words.expect(f"moved {stack.strength if points is None else points}", f"moved {total(stack.marched)}")


def _fresh(moment: CaseMoment, words: Words, stack: Stack) -> None:
    case_words.expect("moved 0", f"moved {total(stack.marched)}")


_MARKS: Final[Mapping[str, Callable[[CaseMoment, Words, Stack], None]]] = {
    "known": _known,
    "since": _since,
    "hungry": _hungry,
    "moved": _moved,
    "fresh": _fresh,
}


def answers(data: GameData, text: str) -> list[str]:
    """Dice, and leaders who are drawn. Raises Invalid."""
    return case_words.dice_and_leaders(data.book, text)
