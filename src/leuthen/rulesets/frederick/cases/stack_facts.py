"""What EXPECT compares: stacks and allegiance; the facts with a word of their own are in `casenamed`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.cases.facts import DENIABLE, PLAIN
from leuthen.rulesets.frederick.cases.words import SIDE_WORDS, CaseMoment, Words, bag_text, names_text
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.case_words import Unexpected, band_text, check_fact, expect, read_band
from leuthen.wargame.strength import EMPTY, LeaderId, bag, total

PLACES: Final = ("field", "inside", "moving")
STATES: Final = ("demoralized", "quartered")


def check(moment: CaseMoment, text: str) -> None:
    """Compares one statement. Raises Unexpected, or Invalid if it is not understood."""
    check_fact(
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
    expect(f"{name} {wanted}", f"{name} {found}")


def _stack(moment: CaseMoment, words: Words) -> None:
    here = words.hex()
    if words.has("empty"):
        expect("", "; ".join(stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here))
        return
    side, place = words.side(), words.has(*PLACES) or "field"
    stack = _find(moment, here, side, place)
    if words.has("none"):
        expect("", stack_text(moment, stack) if stack is not None else "")
    elif stack is None:
        there = [stack_text(moment, s) for s in moment.state.stacks.values() if s.hex == here]
        raise Unexpected(f"expected a stack in {_where(here, side, place)}; there is {'; '.join(there) or 'nobody'}")
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
        raise Unexpected(f"expected {fault}; it is {stack_text(moment, stack)}")


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
    return " ".join([*parts, f"known {band_text(stack.low, stack.high)}", f"moved {total(stack.marched)}"])


def _known(moment: CaseMoment, words: Words, stack: Stack) -> None:
    text = words.next("a strength")
    if read_band("1+" if text == "unknown" else text) != (stack.low, stack.high):
        raise Unexpected(f"expected known {text}; it is {stack_text(moment, stack)}")


def _since(moment: CaseMoment, words: Words, stack: Stack) -> None:
    expect(f"since {words.number('a turn')}", f"since {stack.since}")


def _hungry(moment: CaseMoment, words: Words, stack: Stack) -> None:
    expect(f"hungry {words.number('a number of turns')}", f"hungry {stack.hungry}")


def _moved(moment: CaseMoment, words: Words, stack: Stack) -> None:
    points = words.maybe_number()
    expect(f"moved {stack.strength if points is None else points}", f"moved {total(stack.marched)}")


def _fresh(moment: CaseMoment, words: Words, stack: Stack) -> None:
    expect("moved 0", f"moved {total(stack.marched)}")


_MARKS: Final[Mapping[str, Callable[[CaseMoment, Words, Stack], None]]] = {
    "known": _known,
    "since": _since,
    "hungry": _hungry,
    "moved": _moved,
    "fresh": _fresh,
}
