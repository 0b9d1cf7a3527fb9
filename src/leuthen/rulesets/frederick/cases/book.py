"""The words of this rule set's cases (`wargame.case_words.CaseBook`): dice, and the facts of EXPECT."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OwnerId, as_viewer
from leuthen.rulesets.frederick.cases.position import (
    LANDS,
    SIDE_WORDS,
    CaseMoment,
    Words,
    bag_text,
    men_text,
    names_text,
)
from leuthen.rulesets.frederick.cases.position import build_position as build_position
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.pieces import DONE, POOL, SIDES, WAITING, SeenStack, Stack
from leuthen.rulesets.frederick.model.state import ROSTER_WORDS, Position
from leuthen.rulesets.frederick.rules.c12_victory import victory_points
from leuthen.rulesets.frederick.rules.o05_forces import allowance
from leuthen.rulesets.frederick.rules.o05_march import Marching
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o10_supply import is_besieged, is_supplied
from leuthen.wargame import case_words
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import EMPTY, LeaderId, total


def _owner(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.side()
    if here not in moment.data.fortresses:
        raise Invalid("there is no fortress")
    where, owners = f"owner {hex_name(here)}", ("prussia", "austria", "nobody")
    case_words.expect(f"{where} {owners[side]}", f"{where} {owners[moment.state.owners[here]]}")


def _prisoners(moment: CaseMoment, words: Words, deny: bool) -> None:
    side = words.major()
    found = men_text(moment.data, moment.state.prisoners[side], moment.state.captives[side])
    case_words.expect(f"prisoners {men_text(moment.data, *words.men())}", f"prisoners {found}")


def _waiting(moment: CaseMoment, words: Words, deny: bool) -> None:
    leaders = [leader for leader in moment.data.leader_ids if moment.state.roster[leader] == WAITING]
    found = men_text(moment.data, moment.state.waiting, leaders)
    case_words.expect(f"waiting {men_text(moment.data, *words.men())}", f"waiting {found}")


def _depot(moment: CaseMoment, words: Words, deny: bool) -> None:
    power = words.power() if words.is_power() else -1
    depot, wanted = moment.state.depots.get(words.hex()), words.has("begun") or "complete"
    found = "no depot"
    if depot is not None:
        found = f"depot {moment.data.powers[depot.power].name} {'complete' if depot.complete else 'begun'}"
    is_none = deny or power < 0
    case_words.expect("no depot" if is_none else f"depot {moment.data.powers[power].name} {wanted}", found)


def _leader(moment: CaseMoment, words: Words, deny: bool) -> None:
    number, wanted = words.leader(), words.choose(ROSTER_WORDS, "place of a leader")
    name = moment.data.leaders[number].name
    found = ROSTER_WORDS[moment.state.roster[number]]
    case_words.expect(f"{name} {ROSTER_WORDS[wanted]}", f"{name} {found}")


def _pool(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`pool Austria Daun Beck`: exactly these; `pool Sweden`: an empty pool."""
    power, named = words.power(), words.leaders()
    found = [leader for leader in moment.data.generals[power] if moment.state.roster[leader] == POOL]
    case_words.expect(f"pool {names_text(moment.data, sorted(named))}", f"pool {names_text(moment.data, found)}")


def _mp(moment: CaseMoment, words: Words) -> int:
    """`mp 2`: MP left to the force on the march."""
    march, force = moment.state.frames[-1], moment.state.moving
    if not isinstance(march, Marching) or force is None:
        raise case_words.Unexpected("no force is on the march")
    return max(0, allowance(moment.state, march.die, force) - march.spent(moment.state, force))


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


def _is_besieged(moment: CaseMoment, words: Words, here: Hex) -> bool:
    if here not in moment.data.fortresses:
        raise Invalid("there is no fortress")
    side = moment.state.owners[here]
    return side in SIDES and is_besieged(moment.state, here, side)


def _supplied(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.major()
    stack = moment.state.at(here, side, words.has("field", "inside") == "inside")
    if stack is None:
        raise case_words.Unexpected(f"there is no stack in {hex_name(here)}")
    case_words.judge(is_supplied(moment.state, stack), deny, f"supplied {hex_name(here)} {SIDE_WORDS[side]}")


def _view(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`view austria 1733 prussia field Prussia Frederick known 1+`, `view austria depot 1720`.

    Of a stack with hidden facts: its nation, its commander, the known strength.
    """
    view = moment.ruleset.view(moment.state, as_viewer(words.choose(case_words.viewers_of(moment.ruleset), "viewer")))
    if words.has("depot"):
        depot = view.depots.get(words.hex())
        wanted = "" if deny else f"depot {words.has('begun') or 'complete'}"
        case_words.expect(wanted, f"depot {'complete' if depot.complete else 'begun'}" if depot else "")
        return
    place = words.hex(), words.side(), words.has("field", "inside") == "inside"
    found = [_seen(moment, one) for one in view.stacks if (one.hex, one.side, one.inside) == place]
    case_words.expect("" if deny else words.rest(), "".join(found))
    words.rest()


def _seen(moment: CaseMoment, stack: SeenStack) -> str:
    """`Prussia Frederick known 3-8`; `all` in front if nothing of the stack is hidden."""
    parts = [] if stack.sp is None else ["all"]
    parts.append(moment.data.powers[stack.nation].name)
    parts.append(names_text(moment.data, [stack.commander]) if stack.commander >= 0 else "leaderless")
    parts += ["alone"] if stack.alone else [f"known {case_words.band_text(stack.low, stack.high)}"]
    parts += [state for state in ("demoralized", "quartered") if getattr(stack, state)]
    return " ".join(parts)


def _invaded(moment: CaseMoment, words: Words, deny: bool) -> None:
    power = words.power()
    case_words.judge(power in moment.state.invaded, deny, f"{moment.data.powers[power].name} invaded in 1756")


DENIABLE: Final[Mapping[str, case_words.Fact]] = {
    **case_words.DENIABLE,
    "prisoners": _prisoners,
    "waiting": _waiting,
    "depot": _depot,
    "siege": _siege,
    "besieged": case_words.hex_fact("besieged", _is_besieged),
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
    "phasing": case_words.text_fact(
        lambda words: f"phasing {SIDE_WORDS[words.side()]}",
        lambda moment: f"phasing {SIDE_WORDS[moment.state.phasing]}",
    ),
    "leader": _leader,
    "pool": _pool,
    "mp": case_words.number_fact("mp", _mp, "movement points"),
    "spent": _spent,
    "german-states": case_words.text_fact(
        lambda words: LANDS[words.is_open()], lambda moment: LANDS[moment.state.german_open]
    ),
}


PLACES: Final = ("field", "inside", "moving")
STATES: Final = ("demoralized", "quartered")


def check(moment: CaseMoment, text: str) -> None:
    """Compare one statement. Raises Unexpected, or Invalid if it is not understood."""
    case_words.check_fact(
        moment, text, Words(moment.data, text), DENIABLE, PLAIN, _check_thing, _is_thing, "hex or town, no power"
    )


def _is_thing(words: Words) -> bool:
    return words.is_power() or words.is_hex()


def _check_thing(moment: CaseMoment, words: Words) -> None:
    if words.is_power() and " ".join(words.words[1:2]) in (*SIDE_WORDS, "surrendered"):
        power = words.power()
        wanted, name = words.next("an allegiance"), moment.data.powers[power].name
        is_out = power in moment.state.surrendered
        found = "surrendered" if is_out else SIDE_WORDS[moment.state.allegiance[power]]
        case_words.expect(f"{name} {wanted}", f"{name} {found}")
        return
    here = words.hex()
    if words.has("empty"):
        case_words.expect("", "; ".join(stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here))
        return
    side, place = words.side(), words.has(*PLACES) or "field"
    stack = _find(moment.state, here, side, place)
    if words.has("none"):
        case_words.expect("", stack_text(moment, stack) if stack is not None else "")
    elif stack is None:
        there = [stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here]
        raise case_words.Unexpected(
            f"expected a stack in {_where(here, side, place)}; there is {'; '.join(there) or 'nobody'}"
        )
    else:
        _compare(moment, words, stack)


def _find(state: Position, here: Hex, side: OwnerId, place: str) -> Stack | None:
    if place != "moving":
        return state.at(here, side, place == "inside")
    force = state.moving
    return force if force is not None and (force.hex, force.side) == (here, side) else None


def _compare(moment: CaseMoment, words: Words, stack: Stack) -> None:
    """Demoralization and quarters always count, anything else only if stated; all leaders, the commander first."""
    sp, strength, leaders, states, leaderless = EMPTY, -1, list[LeaderId](), set[str](), False
    while words.words:
        points = words.maybe_number()
        if points is not None:
            strength = points
        elif words.is_plus():
            sp += words.plus()
        elif state := words.has(*STATES):
            states.add(state)
        elif words.has("leaderless"):
            leaderless = True
        elif mark := words.has(*_MARKS):
            _MARKS[mark](moment, words, stack)
        else:
            leaders.append(words.leader((*STATES, "leaderless", *_MARKS)))
    fault = ""
    if strength not in (-1, stack.strength):
        fault = f"{strength} SP"
    elif sp and sp != stack.sp:
        fault = bag_text(moment.data, sp)
    elif leaderless and stack.leaders:
        fault = "no leaders"
    elif leaders and (sorted(leaders) != sorted(stack.leaders) or leaders[0] != stack.commander):
        fault = f"{names_text(moment.data, leaders)}, the first in command"
    elif states != {state for state in STATES if getattr(stack, state)}:
        fault = " and ".join(sorted(states)) or "neither demoralized nor in quarters"
    if fault:
        raise case_words.Unexpected(f"expected {fault}; it is {stack_text(moment, stack)}")


def _where(here: Hex, side: OwnerId, place: str) -> str:
    return f"{hex_name(here)} {SIDE_WORDS[side]} {place}"


def stack_text(moment: CaseMoment, stack: Stack) -> str:
    """Return a stack in the words of a case."""
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


def _marked(name: str, wanted: Callable[[Words, Stack], int], found: Callable[[Stack], int]) -> _Mark:
    return lambda moment, words, stack: case_words.expect(f"{name} {wanted(words, stack)}", f"{name} {found(stack)}")


def _moved(words: Words, stack: Stack) -> int:
    points = words.maybe_number()
    return stack.strength if points is None else points


_Mark: TypeAlias = Callable[[CaseMoment, Words, Stack], None]
_MARKS: Final[Mapping[str, _Mark]] = {
    "known": _known,
    "since": _marked("since", lambda words, stack: words.number("a turn"), lambda stack: stack.since),
    "hungry": _marked("hungry", lambda words, stack: words.number("a number of turns"), lambda stack: stack.hungry),
    "moved": _marked("moved", _moved, lambda stack: total(stack.marched)),
    "fresh": _marked("moved", lambda words, stack: 0, lambda stack: total(stack.marched)),
}


def answers(data: GameData, text: str) -> list[str]:
    """Read dice, and leaders who are drawn. Raises Invalid."""
    return case_words.dice_and_leaders(data.book, text)
