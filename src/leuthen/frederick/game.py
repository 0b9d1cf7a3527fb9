"""The door of the rule set: the few pure functions through which everything drives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from leuthen.core.choice import Action, Chooser, LegalSet
from leuthen.core.refusal import Illegal, Invalid, Refusal
from leuthen.core.ruleset import CHANCE, Outcome, Pending, Transition
from leuthen.core.strength import total
from leuthen.frederick import codec, completion, describe, notation
from leuthen.frederick.charmap import char_map
from leuthen.frederick.decisions import Decision
from leuthen.frederick.events import Event, Names
from leuthen.frederick.gamedata import POWERS, Files, read_game
from leuthen.frederick.gameoptions import GameOptions
from leuthen.frederick.oddstext import describe_odds
from leuthen.frederick.rules.fortresses import settle
from leuthen.frederick.rules.sequence import War
from leuthen.frederick.rules.setup import new_position
from leuthen.frederick.rules.victory import victory_points
from leuthen.frederick.showing import FrederickShowing
from leuthen.frederick.state import SIDES, Draft, State
from leuthen.frederick.view import View, decode_view, encode_view, make_view
from leuthen.frederick.worlds import draw_world

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "march-die": ("phase", "force"),
    "morale-target": ("7", "5", "6", "8"),
    "hanover-note": ("any", "marked"),
    "besieged-redeployment": ("allowed", "barred"),
    "last-year": ("1762", "1756", "1757", "1758", "1759", "1760", "1761"),
}
_SIDE_WORDS = ("prussia", "austria", None)
RUNAWAY = 10_000
"""Steps of the sequence without anybody being asked: a fault of the engine."""


class Frederick:
    """The Campaign Game, made from the texts of its data files."""

    name = "frederick"
    version = "1"
    sides = ("prussia", "austria")
    options = OPTIONS

    def __init__(self, files: Files) -> None:
        self.data = read_game(files)
        self.digest = self.data.digest
        self.names = Names(self.data)
        self.showing = FrederickShowing(self)
        self.scenarios = dict.fromkeys(self.data.scenarios, "August 1756 to the end of 1762")

    def new_game(self, scenario: str = "campaign", options: Mapping[str, str] | None = None) -> State:
        """The position before the deployment (C2). Raises Invalid for an unknown scenario, option or value."""
        if scenario not in self.scenarios:
            raise Invalid(f"«{scenario}» is no scenario: {', '.join(self.scenarios)}")
        before = new_position(self.data, scenario, read_options(options or {}), (War(),))
        draft = Draft(before)
        run(draft)
        return draft.freeze()

    def pending(self, state: State) -> tuple[Pending, ...]:
        """The decisions awaited, at most one an actor; none when the game has ended."""
        if state.outcome is not None:
            return ()
        frame = state.frames[-1]
        return tuple(
            [Pending(actor, frame.NAME, frame.RULE, frame.prompt(state, actor)) for actor in frame.actors(state)]
        )

    def legal_actions(self, state: State, actor: int) -> LegalSet[Any]:
        """What a side may do now. A side that is not asked may at most reopen what it sealed."""
        legal = state.legal.get(actor)
        if legal is None:
            frame = state.frames[-1]
            legal = state.legal[actor] = LegalSet(lambda: frame.script(state, actor), "O2.4")
        return legal

    def chances(self, state: State) -> tuple[tuple[Action, Fraction], ...]:
        """The answers of CHANCE with their exact probabilities; empty if chance is not awaited."""
        if state.outcome is not None:
            return ()
        return state.frames[-1].chances(state)

    def apply(self, state: State, actor: int, action: Action) -> Transition:
        """Carries out a legal action; raises Illegal, naming the rule, for any other."""
        refusal = self.why_not(state, actor, action)
        if refusal is not None:
            raise Illegal(refusal)
        draft = Draft(state)
        draft.frames[-1].answer(draft, actor, action)
        settle_all(draft)
        run(draft)
        return Transition(draft.freeze(), tuple(draft.facts), draft.learned)

    def why_not(self, state: State, actor: int, action: Action) -> Refusal | None:
        """The rule that forbids an action, or None if it is legal."""
        if state.outcome is not None:
            return Refusal(state.outcome.rule, "the game has ended")
        frame = state.frames[-1]
        if actor == CHANCE:
            ok = action in [answer for answer, _ in frame.chances(state)]
            return None if ok else Refusal(frame.RULE, "{} is no answer of chance here", (action.do,))
        if actor not in SIDES:
            return Refusal("C1.2", "there are two players")
        if actor not in frame.actors(state) and not frame.is_open_to(state, actor):
            return Refusal("O4.2", "the {} is not asked now", (self.sides[actor],))
        return self.legal_actions(state, actor).why_not(action)

    def view(self, state: State, viewer: int) -> View:
        """What a side, WATCHER or EVERYTHING may know (O3)."""
        return make_view(state, viewer)

    def encode_view(self, view: View) -> bytes:
        """The bytes of a view."""
        return encode_view(view)

    def decode_view(self, data: bytes) -> View:
        """The view of some bytes. Raises Invalid."""
        return decode_view(data)

    def date(self, state: State) -> tuple[int, int]:
        """Year and turn."""
        return state.year, state.turn

    def worlds(self, view: View, rng: Chooser) -> State:
        """A state drawn from all those that the view allows."""
        return draw_world(self.data, view, rng)

    def default(self, state: State, actor: int) -> Action:
        """The answer that commits least: the first of the canonical subset, `done` wherever there is one."""
        action: Action = next(iter(self.legal_actions(state, actor)))
        return action

    def outcome(self, state: State) -> Outcome | None:
        """None while the war goes on."""
        return state.outcome

    def tell(self, event: Event) -> str:
        """One sentence with the rule."""
        return f"{event.tell(self.names)} ({event.RULE})"

    def summary(self, state: State) -> dict[str, Any]:
        """What bulk play reports of a finished war."""
        return {
            "year": state.year,
            "vp": list(victory_points(state)),
            "surrenders": [POWERS[power] for power in sorted(state.surrendered)],
            "allegiances": {
                POWERS[power]: ("prussia", "austria", None)[side] for power, side in enumerate(state.allegiance)
            },
            "rp": list(state.rp),
            "prisoners": [total(held) for held in state.prisoners],
        }

    def parse_action(self, state: State, actor: int, text: str) -> Action:
        """Reads a line of the record's notation. Raises Invalid or Ambiguous."""
        return notation.parse_action(self.data, state, actor, text)

    def format_action(self, state: State, actor: int, action: Action) -> str:
        """The line of the record's notation."""
        return notation.format_action(self.data, state, actor, action)

    def complete(self, state: State, actor: int, text: str) -> Sequence[str]:
        """What may come next in a line that is being typed."""
        return completion.complete(self.data, state, actor, self.legal_actions(state, actor), text)

    def describe(self, state: State, viewer: int, topic: str = "") -> str:
        """The situation as text."""
        return describe.describe(self.data, make_view(state, viewer), topic)

    def char_map(self, state: State, viewer: int, place: str, radius: int = 5) -> str:
        """A map of characters around a place."""
        return char_map(self.data, make_view(state, viewer), place, radius)

    def odds(self, state: State, viewer: int, text: str) -> str:
        """The exact odds of an attack, a siege, a march, as far as `viewer` may know them. Raises Invalid."""
        return describe_odds(self.data, make_view(state, viewer), text)

    def digest_of(self, state: State) -> str:
        """A short digest of the position."""
        return codec.digest(state)

    def dump(self, state: State) -> bytes:
        """The position's canonical text."""
        return codec.dump(state)

    def restore(self, data: bytes) -> State:
        """The position of a canonical text. Raises Invalid."""
        return codec.restore(self.data, data)


def read_options(given: Mapping[str, str]) -> GameOptions:
    """The options of a game. Raises Invalid for an unknown one or value."""
    for name, value in given.items():
        if name not in OPTIONS:
            raise Invalid(f"«{name}» is no option: {', '.join(OPTIONS)}")
        if value not in OPTIONS[name]:
            raise Invalid(f"option {name}: «{value}» is not among {', '.join(OPTIONS[name])}")
    chosen = {name: given.get(name, values[0]) for name, values in OPTIONS.items()}
    return GameOptions(
        march_die=chosen["march-die"],
        morale_target=int(chosen["morale-target"]),
        hanover_note=chosen["hanover-note"],
        besieged_redeployment=chosen["besieged-redeployment"],
        last_year=int(chosen["last-year"]),
    )


def settle_all(draft: Draft) -> None:
    """Judges what was touched, unless a battle's own order of steps does it later (O9.13)."""
    if draft.touched:
        settle(draft)


def run(draft: Draft) -> None:
    """Runs the sequence until somebody is asked or the game has ended."""
    for _ in range(RUNAWAY):
        if draft.outcome is not None:
            return
        frame: Decision = draft.frames[-1]
        if frame.actors(draft):
            return
        frame.step(draft)
        if draft.touched:
            settle(draft)
    raise RuntimeError(f"the sequence of play runs away in {frame.NAME}")
