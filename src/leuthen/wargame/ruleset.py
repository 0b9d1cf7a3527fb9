"""Base classes of wargame rule sets: encodings of hexes and strengths, actions, and order lines by a grammar."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, Final

from leuthen.engine import choice
from leuthen.engine.choice import Action, Slot, Token
from leuthen.engine.codec import JSON, Codec, as_mapping, as_number, word
from leuthen.engine.ruleset import ActorId, as_side
from leuthen.engine.ruleset_base import D, RulesetBase, S
from leuthen.engine.state import PositionView
from leuthen.wargame.board import NOWHERE, Hex, hex_name, parse_hex
from leuthen.wargame.grammar import Grammar, WordReader, complete_line, read_line, write_line
from leuthen.wargame.strength import EMPTY, Bag, PowerId, bag, of, powers


class GrammarRuleset(RulesetBase[S, D]):
    """A rule set whose record notation follows from a grammar of its actions."""

    GRAMMAR: ClassVar[Grammar]
    READER: ClassVar[Callable[..., WordReader]]  # the reader of words, made from data, position, actor and words

    @abstractmethod
    def outline(self, view: Any) -> S:
        """Return a position with the knowledge of a view, to write an order from."""

    def parse_action(self, state: S, actor: ActorId, text: str) -> Action:
        return read_line(self.GRAMMAR, text, self._reader(state, actor))

    def format_action(self, state: S | PositionView, actor: ActorId, action: Action) -> str:
        pos = self.outline(state) if isinstance(state, PositionView) else state
        return write_line(self.GRAMMAR, self._reader(pos, actor)(), action)

    def complete(self, state: S, actor: ActorId, text: str) -> Sequence[str]:
        return complete_line(self.GRAMMAR, self.legal_actions(state, actor), text, self._reader(state, actor))

    def _reader(self, pos: S, actor: ActorId) -> Callable[..., WordReader]:
        return partial(self.READER, self.data, pos, as_side(actor))


@lru_cache(maxsize=4096)
def _write_hex(here: Hex) -> str:
    return hex_name(here) if here >= 0 else ""


@lru_cache(maxsize=4096)
def _read_hex(text: JSON) -> Hex:
    return parse_hex(str(text)) if text != "" else NOWHERE


HEX: Final = Codec(_write_hex, _read_hex, str)


def bag_codec(names: tuple[str, ...], kind: str = "power") -> Codec:
    """Return the codec of a bag, as numbers by the names of powers."""
    power = word(names, kind).read

    @lru_cache(maxsize=4096)
    def write(sp: Bag) -> Mapping[str, int]:
        return dict(sorted((names[number], of(sp, number)) for number in powers(sp)))

    def read(named: JSON) -> Bag:
        if named == {}:
            return EMPTY
        sp = EMPTY
        for name, points in as_mapping(named).items():
            sp += bag(power(name), as_number(points))
        return sp

    return Codec(write, read, dict[str, int])


def _place(here: Hex) -> str:
    return str(here) if here == NOWHERE else f"parse_hex({hex_name(here)!r})"


class WargameAction(choice.Action):
    """An action whose expression shows hexes by their printed numbers and strengths by power."""

    READABLE: ClassVar = {
        "Hex": _place,
        "tuple[Hex, ...]": lambda hexes: f"({', '.join(map(_place, hexes))}{',' if len(hexes) == 1 else ''})",
        "Bag": lambda sp: " + ".join([f"bag({power}, {of(sp, power)})" for power in powers(sp)]) or "0",
    }


class StrengthAction(WargameAction):
    """An action with strengths by power, which scripts ask for one power at a time."""

    def reply(self, slot: Slot) -> Token:
        if slot.name in ("sp", "tp") and slot.index is not None:
            return of(getattr(self, slot.name, EMPTY), PowerId(slot.index))
        return choice.Action.reply(self, slot)
