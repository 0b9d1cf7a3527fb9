"""Forms: the questions of an order, filled in with the player's choices so far.

One walk through the script of a legal set makes the form. Each question becomes a field. A legal choice answers it;
without a choice the default does, if there is one. A refused choice leaves the order open, with the reason that the
script gives.

A partial order maps the key of a question ("leader", "sp.0", "path.2") to the chosen token. Three keys are special:
"at" is a place or a piece and answers the first question it can; "path" alone is a whole leg to a place or through
several; "do", the kind of action, may be missing, and is then the kind that uses most of the choices.

A rule set derives its questions from `FormBuilder` and supplies the words; `make_form` makes the form of an order.
A typed order line is completed and read by the same script (`read_order_line`).
"""

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import takewhile
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, Self, TypeVar

import msgspec

from leuthen.engine.choice import STOP, Action, ByKind, LegalSet, Refusal, Slot, Token, options_of
from leuthen.engine.refusal import Illegal, Invalid, number_of, require, shorten
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.engine.ruleset_base import RulesetBase
from leuthen.engine.state import FrozenPosition
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import (
    Barred,
    Choice,
    Form,
    FormField,
    Objection,
    Odds,
    OrderLine,
    PartialOrder,
    Place,
    Reached,
)
from leuthen.wargame.board import NOWHERE, Hex, as_hex, hex_name, place_name
from leuthen.wargame.grammar import kinds_of
from leuthen.wargame.missions import DROP, GIVE, GRAMMAR, TO, MissionOrder, Missions
from leuthen.wargame.names import NameBook, simplify
from leuthen.wargame.strength import as_leader, as_power


class Entry(NamedTuple):
    """The step into a hex: the hex before it, the MP spent by then, and whether the leg ends there."""

    before: Hex
    spent: int
    stops: bool


def find_reach(
    starts: Mapping[Hex, int], onward: Callable[[Hex, int, set[Hex]], Iterable[tuple[Hex, int, bool]]]
) -> dict[Hex, Entry]:
    """Return all hexes that can be entered from any of the starts by a cheapest path, without the starts.

    `onward` yields the hexes that can be entered from one, each with the MP spent by then and whether the leg ends
    there; it may leave out the settled ones.
    """
    found: dict[Hex, Entry] = {}
    settled: set[Hex] = set()
    queue = sorted((spent, here) for here, spent in starts.items())
    while queue:
        spent, here = heappop(queue)
        if here in settled:
            continue
        settled.add(here)
        if here in found and found[here].stops:
            continue
        for there, then, stops in onward(here, spent, settled):
            if there not in settled and there not in starts and (there not in found or then < found[there].spent):
                found[there] = Entry(here, then, stops)
                heappush(queue, (then, there))
    return found


def path_to(found: Mapping[Hex, Entry], start: Hex, goal: Hex) -> list[Hex]:
    """Return the way to a hex of a reach, without the start."""
    path = [goal]
    while (before := found[path[0]].before) != start:
        path.insert(0, before)
    return path


class Leg(ABC):
    """The rest of a march from the force's present hex."""

    here: Hex
    most: int  # the MP of the whole leg, spent ones included

    @abstractmethod
    def reach(self) -> dict[Hex, Entry]:
        """Return all hexes that the force can enter in this leg."""

    @abstractmethod
    def price(self, there: Hex, found: Mapping[Hex, Entry]) -> str:
        """Return the price of the last step to a hex of the reach."""

    @abstractmethod
    def after(self, path: Sequence[Hex], entry: Entry) -> Self:
        """Return the leg that continues from the end of a path."""

    @abstractmethod
    def why_not(self, goal: Hex, found: Mapping[Hex, Entry]) -> Refusal:
        """Return the refusal for a hex out of reach."""

    def shown(self) -> dict[str, Reached]:
        shown: dict[str, Reached] = {}
        found = self.reach()
        for there, (before, spent, stops) in found.items():
            left = max(0, self.most - spent)
            shown[hex_name(there)] = Reached(hex_name(before), self.price(there, found), left, self.most - left, stops)
        return shown

    def through(self, goals: Sequence[Hex]) -> list[Hex] | Refusal:
        """Return a cheapest path through some hexes in order, or the refusal."""
        path: list[Hex] = []
        leg = self
        for goal in goals:
            if goal == leg.here:
                continue
            found = leg.reach()
            if goal not in found:
                return leg.why_not(goal, found)
            way = path_to(found, leg.here, goal)
            path += way
            leg = leg.after(way, found[goal])
        return path


AT: Final = "at"
DO: Final = "do"


class FormText(Protocol):
    """The words and defaults that a rule set supplies for the questions of a form."""

    def kind(self, slot: Slot) -> str:
        """Return the kind of a question, as in `FormField.kind`."""

    def label(self, slot: Slot) -> str: ...

    def choice(self, slot: Slot, token: Token) -> Choice:
        """Return an answer as the client shows it."""

    def read(self, slot: Slot, text: str) -> Token | None:
        """Return the answer that a text names (word, hex or town, number), legal or not; None if it names none."""

    @abstractmethod
    def find(self, slot: Slot, place: str) -> Token | None:
        """Return the answer for a click on a place or a piece, legal or not; None if the click names none."""

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        """Return the steps of a leg that leads to the named places, or the reason why there is none."""

    @abstractmethod
    def preset(self, slot: Slot) -> Token | None:
        """Return the default where several answers are legal; None leaves the question open."""

    def record_answer(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """Record an answer; `is_step` if the player chose it under its own key."""


class FilledForm(msgspec.Struct, frozen=True):
    """A form filled in so far: its fields, the refused choices, and the action once no question is open."""

    fields: tuple[FormField, ...]
    refused: tuple[Objection, ...]
    action: Action | None


def fill_form(legal: LegalSet, text: FormText, partial_order: PartialOrder) -> FilledForm:
    """Return the form filled in with a partial order. Never raises: refusals are in `refused`, the order stays open."""
    if DO not in partial_order and partial_order:
        partial_order = {**partial_order, **_kind_for(legal, text, partial_order)}
    filler = _Filler(text, partial_order)
    action = legal.fill(filler.answer)
    if AT in partial_order and AT not in filler.heard and not filler.refused:
        filler.refused.append(Objection("", "no order is possible there now"))
    return FilledForm(tuple(filler.fields), tuple(filler.refused), None if filler.refused else action)


def _kind_for(legal: LegalSet, text: FormText, partial_order: PartialOrder) -> PartialOrder:
    best, most = {}, (0, 0)
    for kind in legal.options().values:
        filler = _Filler(text, {**partial_order, DO: str(kind)}, is_draft=True)
        legal.fill(filler.answer)
        score = len(filler.heard), -len(filler.refused)
        if len(filler.heard) > 1 and score > most:  # `do` itself is always heard
            best, most = {DO: str(kind)}, score
    return best


def reason_of(refusal: Refusal) -> Objection:
    place = hex_name(refusal.place) if refusal.place >= 0 else ""
    return Objection(refusal.rule, refusal.reason.format(*refusal.numbers), place)


def key_of(slot: Slot) -> str:
    return slot.name if slot.index is None else f"{slot.name}.{slot.index}"


class _Filler:
    """Answers the questions of one script with choices and defaults, and collects the fields."""

    def __init__(self, text: FormText, partial_order: PartialOrder, *, is_draft: bool = False) -> None:
        self.text = text
        self.partial_order = partial_order
        self.is_draft = is_draft
        self.fields: list[FormField] = []
        self.refused: list[Objection] = []
        self.heard: set[str] = set()  # the keys that a question has used, granted or refused
        self._taken: list[tuple[str, Token]] = []
        self._leg: Iterator[Token] | None = None

    def answer(self, slot: Slot) -> Token | None:
        if not slot.values:
            self.refused.append(reason_of(slot.refusal(STOP)))
            return None
        key = key_of(slot)
        chosen = self._chosen(slot, key)
        token: Token | None = None
        if isinstance(chosen, Objection):
            self.refused.append(chosen)
        else:
            token = chosen if chosen is not None else self._default(slot)
        self._taken.append((slot.name, STOP if token is None else token))
        if not self.is_draft:
            self.text.record_answer(slot, token, key in self.partial_order)
            self.fields.append(self._field(slot, key, token, chosen is not None and token is not None))
        return token

    def _default(self, slot: Slot) -> Token | None:
        """Return the only answer, the end of a list, or the preset. A path never has a default: the player must choose
        it."""
        values = slot.values
        is_way = self.text.kind(slot) == "path"
        if slot.index is not None and STOP in values and not (is_way and slot.index == 0 and len(values) > 1):
            return STOP
        if is_way:
            return None
        return values[0] if len(values) == 1 else self.text.preset(slot)

    def _chosen(self, slot: Slot, key: str) -> Token | Objection | None:
        kind = self.text.kind(slot)
        if slot.index is not None and kind == "leader":
            return self._member(slot)
        if key in self.partial_order:
            return self._resolve_answer(slot, key, self.text.read(slot, self.partial_order[key]))
        if kind == "path":
            return self._step(slot)
        if AT in self.partial_order and AT not in self.heard:
            token = self.text.find(slot, self.partial_order[AT])
            if token is not None:
                return self._resolve_answer(slot, AT, token)
        return None

    def _resolve_answer(self, slot: Slot, key: str, token: Token | None) -> Token | Objection:
        self.heard.add(key)
        if token is None:
            return Objection("", f'"{self.partial_order[key]}" is not valid here')
        return token if token in slot.values else reason_of(slot.refusal(token))

    def _member(self, slot: Slot) -> Token | Objection | None:
        keys = [key for key in self.partial_order if key.startswith(f"{slot.name}.")]
        self.heard.update(keys)
        wanted = {key: self.text.read(slot, self.partial_order[key]) for key in keys}
        for token in slot.values:
            if token != STOP and token in wanted.values():
                return token
        for key, chosen in wanted.items():
            if chosen is None or (chosen != STOP and (slot.name, chosen) not in self._taken):
                return self._resolve_answer(slot, key, chosen)
        return STOP if STOP in wanted.values() and STOP in slot.values else None

    def _step(self, slot: Slot) -> Token | Objection | None:
        if self._leg is None and slot.name in self.partial_order:
            self.heard.add(slot.name)
            leg = self.text.leg(slot, self.partial_order[slot.name])
            if isinstance(leg, Objection):
                return leg
            self._leg = iter(leg)
        token = next(self._leg, None) if self._leg is not None else None
        return token if token is None or token in slot.values else reason_of(slot.refusal(token))

    def _field(self, slot: Slot, key: str, token: Token | None, is_given: bool) -> FormField:
        text, options = self.text, options_of(slot)
        choices = [text.choice(slot, value) for value in options.values]
        if options.prices:
            priced = zip(choices, options.prices, strict=True)
            choices = [msgspec.structs.replace(choice, price=price) for choice, price in priced]
        refused = [(text.choice(slot, value), reason_of(refusal)) for value, refusal in options.refused]
        barred = tuple([Barred(shown.token, shown.label, reason, shown.place) for shown, reason in refused])
        value = "" if token is None else text.choice(slot, token).token
        return FormField(key, slot.name, text.kind(slot), text.label(slot), tuple(choices), barred, value, is_given)


LONGEST: Final = 6
NOTHING_MORE: Final[Mapping[str, str]] = {"leader": "no one else", "path": "to here", "hex": "no other hex"}
HALT: Final = Choice("halt", "and halt there")
INSIDE: Final = Choice("halt inside", "and go inside")
STAYS: Final = "stay in this hex"


class FormWords(NamedTuple):
    words: Mapping[str, str]  # labels of actions by their word, and of flags by name and value ("inside 1")
    special: Mapping[tuple[str, str], str]  # labels that differ in a decision or for a kind of action
    asked: Mapping[str, str]  # questions by name
    asked_for: Mapping[tuple[str, str], str]  # questions by kind of action and name

    def word_for(self, frame: str, word: str, kind: str = "") -> str:
        """Return the label of an answer in the decision with the tag `frame`, for an action of a kind."""
        return self.special.get((frame, word)) or self.special.get((kind, word)) or self.words.get(word, word)


class FormBuilder(FormText, ABC):
    """The questions of one form, with their words and the answers so far."""

    KINDS: ClassVar[Mapping[str, str]]  # the kind of each question by its name
    WORDS: ClassVar[FormWords]

    def __init__(self, book: NameBook, frame: str = "") -> None:
        self.book = book
        self.tag = frame
        self.given: dict[str, Token] = {}  # the first answer by name of the question

    @property
    def do(self) -> str:
        """The kind of action, "" while it is open."""
        return str(self.given.get(DO, ""))

    def kind(self, slot: Slot) -> str:
        return self.KINDS[slot.name]

    def label(self, slot: Slot) -> str:
        if slot.name == "path":
            return f"The way, hex {(slot.index or 0) + 1}"
        return self.WORDS.asked_for.get((self.do, slot.name)) or self.WORDS.asked.get(slot.name, slot.name)

    def choice(self, slot: Slot, token: Token) -> Choice:
        kind = self.kind(slot)
        if token == STOP and slot.index is not None and kind != "count":
            return Choice(str(STOP), STAYS if kind == "path" and slot.index == 0 else NOTHING_MORE[kind])
        if kind == "flag":
            return Choice(str(int(token)), self.WORDS.word_for(self.tag, f"{slot.name} {int(token)}", self.do))
        if kind == "power":
            return Choice(str(token), self.book.powers.names.get(as_power(token), "none"))
        show = {"word": self.as_word, "leader": self.as_leader, "count": self.as_count}.get(kind, self.as_hex)
        return show(slot, token)

    def as_word(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), self.WORDS.word_for(self.tag, str(token)))

    def as_count(self, slot: Slot, token: Token) -> Choice:
        return Choice(str(token), str(token))

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        return Choice(hex_name(int(token)), self.book.place(as_hex(token)), place=hex_name(int(token)))

    @abstractmethod
    def as_leader(self, slot: Slot, token: Token) -> Choice:
        """Return a leader as a choice, with what the actor knows of him."""

    def read(self, slot: Slot, text: str) -> Token | None:
        kind = self.kind(slot)
        if kind == "word":
            return text
        if text == str(STOP):
            return STOP
        if kind in ("hex", "path"):
            return self.place(slot, text)
        return number_of(text, LONGEST - 1)

    def place(self, slot: Slot, text: str) -> Token | None:
        return self.hex_of(text)

    def hex_of(self, text: str) -> Hex | None:
        try:
            return self.book.hex(text)
        except Invalid:
            return None

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        try:
            goals = self.book.hexes(text)
        except Invalid as error:
            return Objection("", str(error))
        if not goals:
            return Objection("", "a hex or a town is expected")
        found = self.leg_through(slot, goals)
        return reason_of(found) if isinstance(found, Refusal) else found

    def leg_through(self, slot: Slot, goals: Sequence[Hex]) -> Sequence[Token] | Refusal:
        """Return the cheapest leg through some hexes, or the refusal."""
        raise NotImplementedError

    def record_answer(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        if token is not None:
            self.given.setdefault(slot.name, token)


W = TypeVar("W")


class OrderFormBuilder(FormBuilder, Generic[W]):
    """The questions of an order, with the position of its force, its path and its reach.

    `W` is the subject of a path's question: the state of the walk by the rules.
    """

    def __init__(self, book: NameBook, frame: str) -> None:
        super().__init__(book, frame)
        self.steps: list[tuple[Hex, int | str]] = []
        self.walk: W | None = None  # the walk after the steps that were chosen one by one
        self.end: W | None = None  # the walk at the end of the path

    @property
    @abstractmethod
    def start(self) -> str:
        """The hex of the force, or ""."""

    @abstractmethod
    def walk_of(self, slot: Slot) -> W | None:
        """Return the walk that a question is about; None for a question of another kind."""

    @abstractmethod
    def leg_of(self, walk: W) -> Leg:
        """Return the rest of a leg."""

    @abstractmethod
    def price(self, walk: W, there: Hex) -> int | str | None:
        """Return the cost of the next step; None if it is none."""

    @abstractmethod
    def halts(self) -> tuple[Choice, ...]:
        """Return the ways to end a march in the same order; none where the player should look at the result first."""

    def reached(self) -> Mapping[str, Reached]:
        return self.leg_of(self.walk).shown() if self.walk is not None else {}

    def leg_through(self, slot: Slot, goals: Sequence[Hex]) -> Sequence[Token] | Refusal:
        walk = self.walk_of(slot)
        assert walk is not None
        return self.leg_of(walk).through(goals)

    def record_answer(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        walk = self.walk_of(slot)
        if walk is not None:
            if self.walk is None and (token is None or token == STOP or not is_step):
                self.walk = copy.copy(walk)
            self.end = copy.copy(walk)
            there = as_hex(token) if token is not None and token != STOP else None
            if there is not None and (price := self.price(walk, there)) is not None:
                self.steps.append((there, price))
        super().record_answer(slot, token, is_step)


def first_available(slot: Slot, wanted: Sequence[Token]) -> Token | None:
    """Return the first wanted answer that is legal, or else the first that is barred."""
    barred = slot.refused() if slot.refused is not None else ()
    return next((token for known in (slot.values, barred) for token in wanted if token in known), None)


A = TypeVar("A", bound=OrderFormBuilder[Any])
S = TypeVar("S", bound=FrozenPosition)


def make_form(
    game: RulesetBase[S, Any],
    state: S,
    actor: Side,
    partial_order: PartialOrder,
    ask: Callable[[Any, S, Side], A],
    summary_of: Callable[[A, Action | None], tuple[str, ...]],
    odds: ByKind[Action, A, Odds | None],
) -> Form:
    """Return the form of an order with the choices so far; `ask` makes the questions of a position. Never raises.

    `odds` maps the kind of an action to its odds; an action without an entry leaves nothing to chance.
    """
    if state.outcome is not None:
        return Form((), refused=(reason_of(Refusal(state.outcome.rule, "the game has ended")),))
    if not game.is_asked(state, actor):
        return Form((), refused=(reason_of(Refusal(game.NOT_ASKED, "you are not being asked")),))
    asked = ask(game.data, state, actor)
    filled = fill_form(game.legal_actions(state, actor), asked, partial_order)
    neutral = game.neutral(state, actor)
    bring = odds.get(type(filled.action)) if filled.action is not None else None
    return Form(
        filled.fields,
        "" if filled.action is None else game.format_action(state, actor, filled.action),
        filled.refused,
        summary_of(asked, filled.action),
        asked.start,
        asked.reached(),
        bring(asked, filled.action) if bring is not None else None,
        asked.halts() if not filled.refused else (),
        "" if neutral is None else game.format_action(state, actor, neutral),
    )


def choices_of(
    game: RulesetBase[S, Any], state: S, actor: Side, action: Action, ask: Callable[[Any, S, Side], A]
) -> PartialOrder:
    """Return the choices that make an action, by the keys of its questions; {} for an illegal one."""
    asked, found = ask(game.data, state, actor), dict[str, str]()

    def answer(slot: Slot) -> Token | None:
        token = action.reply(slot)
        if token not in slot.values:
            return None
        found[key_of(slot)] = asked.choice(slot, token).token
        asked.record_answer(slot, token, True)
        return token

    legal = game.legal_actions(state, actor)
    return found if legal.why_not(action) is None and legal.fill(answer) is not None else {}


MISSION_WORDS: Final[Mapping[str, str]] = {
    GIVE: "Give an army a mission", DROP: "Return an army to the staff", TO: "as the place requires",
    "hunt": "beat the enemy", "join": "join friends", "hold": "stand", "raid": "take while it is empty",
}  # fmt: skip
MISSION_ASKED: Final[Mapping[str, str]] = {
    "do": "Action", "leader": "Army", "kind": "Mission", "place": "Place",
}  # fmt: skip


class MissionForm(FormBuilder):
    KINDS = kinds_of(GRAMMAR)
    WORDS = FormWords(MISSION_WORDS, {}, MISSION_ASKED, {})

    def __init__(self, missions: Missions) -> None:
        super().__init__(missions.book)
        self.missions = missions

    @property
    def start(self) -> str:
        """The hex of the army, or ""."""
        return place_name(self.missions.stand([as_leader(self.given["leader"])])[0]) if "leader" in self.given else ""

    def as_leader(self, slot: Slot, token: Token) -> Choice:
        at, men = self.missions.stand([as_leader(token)]) if isinstance(token, int) else (NOWHERE, "")
        return Choice(str(token), self.missions.name(token), men, place_name(at))

    def as_hex(self, slot: Slot, token: Token) -> Choice:
        return super().as_hex(slot, token) if token != NOWHERE else Choice(str(token), "no particular place")

    def read(self, slot: Slot, text: str) -> Token | None:
        named = self.book.leaders.find_exact(text) if self.kind(slot) == "leader" else []
        return named[0] if len(named) == 1 else super().read(slot, text)

    def find(self, slot: Slot, place: str) -> Token | None:
        here = self.hex_of(place.partition("-")[0])
        if slot.name != "leader":
            return here if slot.name == "place" else None
        return next((token for token in slot.values if self.missions.stand([as_leader(token)])[0] == here), None)

    def preset(self, slot: Slot) -> Token | None:
        return None


def mission_form(missions: Missions, partial_order: PartialOrder) -> Form:
    """Return the form of a mission; its `order` is the mission's line. Never raises."""
    asked = MissionForm(missions)
    filled = fill_form(missions.legal, asked, partial_order)
    order = filled.action
    if not isinstance(order, MissionOrder):
        return Form(filled.fields, "", filled.refused, (), asked.start)
    return Form(filled.fields, missions.write(order), filled.refused, (missions.explain(order),), asked.start)


# --- a typed order line: its completions, and the order that it denotes -----------------------------------------------


LONGEST_LINE: Final = 300  # maximum length of a line, in characters
_WAY: Final = re.compile(r"\d{4}(-\d{4})+")


def read_order_line(ruleset: TableRuleset, state: object, side: Side, text: str) -> OrderLine:
    """Return the completions and the meaning of a line.

    Raise Illegal if the side has nothing to answer, Invalid if the line is too long.
    """
    require(len(text) <= LONGEST_LINE, f'"{shorten(text)}" is too long: at most {LONGEST_LINE} characters are read')
    legal = ruleset.legal_actions(state, side)
    first = legal.first()
    if first is not None and not first.values:
        raise Illegal(first.refusal(""))
    reader = _LineReader(ruleset, state, side, legal)
    return msgspec.structs.replace(reader.meaning(text), words=tuple(reader.words(text)))


def why_no_such_order(ruleset: Ruleset, word: str, legal: LegalSet) -> Refusal | None:
    """Return the refusal of a known kind of order that is not allowed now; None for another word."""
    slot = legal.first()
    if word not in getattr(ruleset, "GRAMMAR", ()) or slot is None or slot.name != DO or word in slot.values:
        return None
    return slot.refusal(word)


class _LineReader:
    def __init__(self, ruleset: TableRuleset, state: object, side: Side, legal: LegalSet) -> None:
        self.ruleset = ruleset
        self.state = state
        self.side = side
        self.legal = legal

    def meaning(self, text: str) -> OrderLine:
        ruleset, state, side = self.ruleset, self.state, self.side
        try:
            action = ruleset.parse_action(state, side, text)
        except Invalid as error:
            word, kinds = text.partition(" ")[0].casefold(), [str(kind) for kind in self.legal.options().values]
            if refusal := why_no_such_order(ruleset, word, self.legal):
                return OrderLine(refused=reason_of(refusal))
            is_begun = any(kind.startswith(word) for kind in kinds if word)
            return OrderLine(
                refused=Objection("", str(error) if is_begun else f"begin with one of: {', '.join(kinds)}")
            )
        if refusal := self.legal.why_not(action):
            return OrderLine(refused=reason_of(refusal))
        return OrderLine(
            order=ruleset.format_action(state, side, action),
            partial_order=ruleset.presenter.choices(state, side, action),
            doubt=action.doubt(ruleset.view(state, side)),
        )

    def words(self, text: str) -> Iterator[Choice]:
        """Yield the replacements of the last word. A path is completed with the places within reach of its force."""
        head, gap, last = text.rpartition(" ")
        before = head + gap
        found = self.ruleset.complete(self.state, self.side, text)
        next_words = found or (self.ruleset.complete(self.state, self.side, before) if last else ())
        step = next(filter(_WAY.fullmatch, next_words), "")
        goals = tuple(self._goals(before + step)) if step and "-" not in last else ()
        fields = () if before else self.ruleset.presenter.form(self.state, self.side, {}).fields
        kinds = {choice.token: choice.label for field in fields if field.name == DO for choice in field.choices}
        for word in found:
            if not (goals and _WAY.fullmatch(word)):
                yield Choice(word, kinds.get(word) or self._named(word))
        begun = simplify(last)
        yield from (goal for goal in goals if simplify(goal.token).startswith(begun) or goal.place.startswith(begun))

    def _goals(self, text: str) -> Iterator[Choice]:
        """Yield the places within reach, the nearest first; `text` is a legal order with a path of one step."""
        action = self.ruleset.parse_action(self.state, self.side, text)
        chosen = self.ruleset.presenter.choices(self.state, self.side, action)
        leads = takewhile(lambda item: not item[0].startswith("path"), chosen.items())
        reach = self.ruleset.presenter.form(self.state, self.side, dict(leads)).reach
        for place, reached in sorted(reach.items(), key=lambda item: (item[1].spent, item[0])):
            town = self._towns.get(place, "")
            yield Choice(town or place, self._named(place), f"{reached.left} MP left", place)

    def _named(self, word: str) -> str:
        """Return the label of a word: a hex or path is followed by the name of its town."""
        town = self._towns.get(word[-4:], "")
        return f"{word} {town}" if town else word

    @cached_property
    def _towns(self) -> Mapping[Place, str]:
        """Towns that a line may name in place of their hexes, because their names are unambiguous."""
        setting = self.ruleset.presenter.setting()
        taken = {simplify(one.name) for one in setting.leaders} | {simplify(one.name) for one in setting.powers}
        return {place: name for place, name in setting.names_by_place.items() if simplify(name) not in taken}
