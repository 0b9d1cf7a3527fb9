"""The rule set: the functions of `Ruleset` that `RulesetBase` does not implement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from fords import model, rules
from fords.model import ROSTER, TABLE, Draft, Land, State, View, make_state, missing, read_land
from fords.screen import make_presenter
from leuthen.engine.choice import Action, RandomSource
from leuthen.engine.decision import Done, Roll
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, ActorId, Side, ViewerId, as_viewer
from leuthen.engine.ruleset_base import RulesetBase, resolve_options, run_sequence
from leuthen.engine.state import Values
from leuthen.wargame.names import Index


class Names:
    """The names used in events and orders."""

    def __init__(self, land: Land) -> None:
        self.land = land
        self.index: Index[int] = land.index()

    def area(self, area: int) -> str:
        return self.land.names[area]

    def side(self, side: Side) -> str:
        return model.SIDES[side].capitalize()


class Fords(RulesetBase[State, Draft]):
    """The game, made from the texts of its data files."""

    name = "fords"
    version = "2"
    sides = ("north", "south")
    options: Mapping[str, tuple[str, ...]] = {}
    scenarios: Mapping[str, str] = {"campaign": "Eight turns on the river"}
    TABLE = TABLE
    STATE = State
    VIEW = View
    standing = None
    TWO_PLAYERS = NOT_ASKED = "F1.1"
    NOT_THERE = "F1.4"

    def __init__(self, files: Mapping[str, str]) -> None:
        self.data = read_land(files)
        self.digest = self.data.digest
        self.names = Names(self.data)
        self.presenter = make_presenter(self)

    def draft(self, state: State) -> Draft:
        """Return a draft of the next state."""
        return Draft(state)

    def resolve_hexes(self, draft: Draft) -> None:
        """Settle towns and losses after every answer and step."""
        rules.judge(draft)

    def new_game(self, scenario: str, options: Mapping[str, str]) -> State:
        """Return the position before the set-up. Raises Invalid for an unknown scenario, option or value."""
        if scenario not in self.scenarios:
            raise Invalid(f'"{scenario}" is not a valid scenario: {", ".join(self.scenarios)}')
        resolve_options(self.options, options)
        draft = Draft(make_state(self.data, rules.first_values(self.data)))
        run_sequence(draft, self.resolve_hexes)
        return draft.freeze()

    def date(self, state: State) -> tuple[int, int]:
        """Return the turn."""
        return state.turn, 1

    def summary(self, state: State) -> dict[str, Any]:
        """Return the figures of a finished game for simulations."""
        return {"points": [state.points(side) for side in SIDES]}

    def view(self, state: State, viewer: ViewerId) -> View:
        """Return the view of a viewer (F2.2)."""
        return View.of({**TABLE.seen(state, as_viewer(viewer)), "viewer": viewer})

    def sample_state(self, view: View, rng: RandomSource) -> State:
        """Return a sampled position that fits the view; unknown strengths are drawn from the rest of the roster."""
        blocks = list(view.blocks)
        for side in SIDES:
            pool = missing(ROSTER, (block.full for block in blocks if block.side == side and block.full))
            for number, block in enumerate(blocks):
                if block.side == side and not block.full:
                    full = pool.pop(int(rng.random() * len(pool)))
                    blocks[number] = msgspec.structs.replace(block, full=full, strength=full)
        seen = {name: getattr(view, name) for name in TABLE.names}
        return make_state(self.data, {**seen, "blocks": tuple(blocks)})

    def state_of(self, values: Values) -> State:
        """Return the state with these values of all its fields."""
        return make_state(self.data, values)

    def format_action(self, state: State | View, actor: ActorId, action: Action) -> str:
        """Return the line of an action: `place 4 Garth`, `move b3 Mere`, `done`, `roll 5`."""
        match action:
            case rules.Place():
                return f"place {action.strength} {self.names.area(action.area)}"
            case rules.Move():
                return f"move b{action.block + 1} {self.names.area(action.area)}"
            case Roll():
                return f"roll {action.die}"
        return action.do

    def parse_action(self, state: State, actor: ActorId, text: str) -> Action:
        """Return the action of a line. Raises Invalid or Ambiguous."""
        match text.split():
            case ["place", strength, area]:
                return rules.Place(_number(strength), self.names.index.find(area))
            case ["move", block, area]:
                return rules.Move(_number(block.removeprefix("b")) - 1, self.names.index.find(area))
            case ["roll", die]:
                return Roll(_number(die))
            case [word] if word in WORDS:
                return WORDS[word]()
        raise Invalid(f'"{text}" is not a valid order: place STRENGTH AREA, move BLOCK AREA, {", ".join(WORDS)}')

    def complete(self, state: State, actor: ActorId, text: str) -> Sequence[str]:
        """Return the possible next words of an unfinished line."""
        *words, last = text.split(" ")
        lines = [self.format_action(state, actor, one).split() for one in self.legal_actions(state, actor)]
        found = {line[len(words)] for line in lines if line[: len(words)] == words and len(line) > len(words)}
        return sorted(word for word in found if word.startswith(last))


WORDS: Final[Mapping[str, type[Action]]] = {kind().do: kind for kind in (Done, rules.Press, rules.Withdraw)}


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise Invalid(f'"{text}" is not a valid number')
    return int(text)
