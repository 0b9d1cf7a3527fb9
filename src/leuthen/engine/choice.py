"""Legal sets described, not listed: an action is filled in slot by slot by a script.

A script is a generator that yields one `Slot` after another, is sent the value chosen, and returns the action. So
what may come next, what may not and why, drawing at random, going through a canonical subset, and the answer to
«why not» are one piece of code: different ways to answer the same questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Generic, NoReturn, Protocol, TypeAlias, dataclass_transform

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.refusal import Illegal
from leuthen.engine.refusal import Refusal as Refusal

BETWEEN_WORDS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tag_of(name: str) -> str:
    """The tag of a class: «party-choice» of `PartyChoice`."""
    return BETWEEN_WORDS.sub("-", name).lower()


class Kind(msgspec.StructMeta):
    """The class of such classes: `class Attack(Decision, rule="O9.2", name="Attack")` sets `RULE` and `NAME`.

    What may be said so are the constants of the bases, in small letters; the rest is for `msgspec`. A base's `SETTINGS`
    are those that `msgspec` does not hand on to subclasses.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **head: Any) -> Kind:
        said = {key.upper(): head.pop(key) for key in tuple(head) if any(hasattr(base, key.upper()) for base in bases)}
        settings = next((base.SETTINGS for base in bases if hasattr(base, "SETTINGS")), head)
        return super().__new__(mcs, name, bases, namespace | said, **(settings | head))


K = TypeVar("K")
C = TypeVar("C")
R = TypeVar("R")
ByKind: TypeAlias = Mapping[type[K], Callable[[C, Any], R]]
"""By the type of an event, an action or a decision, what it comes to; each function is given what it needs beside it,
and a value of that type."""


Token: TypeAlias = int | str
STOP = -1
"""The token that ends a list (companions, a path)."""


class Chooser(Protocol):
    """What sampling needs of a generator: a number in [0, 1)."""

    def random(self) -> float: ...


FRUITLESS: Final = 10_000
"""So many draws without an answer: there is none."""


class Slot(msgspec.Struct, eq=False):
    """One question of a script.

    `name` is the action's field that the answer fills; `index` the place in that field if it is a list. `values` are
    the legal answers; there may be none, and the way there is then a blind alley. `refuse` tells why another one is
    not, `explain` why not a whole action that has such an answer; `refused` lists those worth showing. `price` tells
    what a value costs, as text. `canon` is the subset that iteration goes through. `about` is what the question is
    about (a force on its way), for whoever shows it.
    """

    name: str
    values: Sequence[Token]
    refuse: Callable[[Token], Refusal]
    index: int | None = None
    refused: Callable[[], Sequence[Token]] | None = None
    price: Callable[[Token], str] | None = None
    canon: Sequence[Token] | None = None
    about: object = None
    explain: Callable[[Action], Refusal | None] | None = None

    def why_not(self, action: Action, token: Token) -> Refusal:
        """Why an action with this answer is not legal: by all that it names, if that says more."""
        found = self.explain(action) if self.explain is not None else None
        return found or self.refuse(token)


@dataclass_transform(frozen_default=True)
class Action(msgspec.Struct, metaclass=Kind, frozen=True, tag_field="do", tag=tag_of):
    """What an actor answers to a decision; `do` is its word in the record.

    `READABLE` writes the values of fields, by the names of their types, as expressions that say more than numbers.
    """

    READABLE: ClassVar[Mapping[str, Callable[[Any], str]]] = {}
    IDLE: ClassVar[bool] = False
    """Whether it leaves everything as it is: so a side may be answered for that wants to go on."""

    def reply(self, slot: Slot) -> Token:
        """The answer that this action gives to a question of a script."""
        value = getattr(self, slot.name)
        token: Token = value if slot.index is None else value[slot.index] if slot.index < len(value) else STOP
        return token

    def __repr__(self) -> str:
        """The expression that makes the action, of the fields that are not at their default."""
        fields = [(field, getattr(self, field.name)) for field in msgspec.structs.fields(self)]
        told = [
            f"{field.name}={self._readable(field.name, value)}" for field, value in fields if value != field.default
        ]
        return f"{type(self).__name__}({', '.join(told)})"

    def _readable(self, name: str, value: object) -> str:
        kind = next(kind.__annotations__[name] for kind in type(self).__mro__ if name in kind.__annotations__)
        return self.READABLE[kind](value) if kind in self.READABLE else repr(value)

    def doubt(self, view: Any) -> str:
        """What a person should know before he gives this order, by his view; "" if nothing is odd about it."""
        return ""

    @property
    def do(self) -> str:
        """The word for this kind of action."""
        return str(self.__struct_config__.tag)


A = TypeVar("A", bound=Action, default=Action, covariant=True)
M = TypeVar("M", bound=Token)
Script: TypeAlias = Generator[Slot, Token, A]


class Options(msgspec.Struct, frozen=True):
    """What may come next in a partial action: the slot, the values with their price, and what is refused, why.

    `action` is the finished action where nothing is left to fill in, and `slot` is then empty.
    """

    slot: str
    values: tuple[Token, ...] = ()
    prices: tuple[str, ...] = ()
    refused: tuple[tuple[Token, Refusal], ...] = ()
    action: Action | None = None
    index: int | None = None
    """The place in the field, if it is a list; of SP the power."""


class LegalSet(Generic[A]):
    """The legal actions of one actor in one position."""

    __slots__ = ("_rule", "_script", "_why_strange", "vetted")

    def __init__(
        self,
        script: Callable[[], Script[A]],
        rule: str = "",
        why_strange: Callable[[Action], Refusal | None] | None = None,
    ) -> None:
        """`rule` is quoted to an action that names more than it was asked for; `why_strange` may say what."""
        self._script = script
        self._rule = rule
        self._why_strange = why_strange
        self.vetted: Action | None = None

    @classmethod
    def empty(cls, refusal: Refusal) -> LegalSet[A]:
        """The set of an actor who is not asked: every action is refused in the same way."""

        def script() -> Script[A]:
            yield Slot("do", (), lambda token: refusal)
            raise Illegal(refusal)

        return cls(script)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a LegalSet cannot be pickled: send the view's bytes and ask legal_actions of a world of it")

    def sample(self, rng: Chooser) -> A:
        """Draws an action slot by slot, again from the start if nothing fits; every legal action has a chance.

        Raises Illegal if the set is empty; RuntimeError if nothing fits ever, a fault of the rule set.
        """
        draw = rng.random
        for _ in range(FRUITLESS):
            script = self._script()
            try:
                slot = next(script)
                if not slot.values:
                    raise Illegal(slot.refuse(""))
                while values := slot.values:
                    slot = script.send(values[int(draw() * len(values))])
            except StopIteration as end:
                action: A = end.value
                self.vetted = action
                return action
        raise RuntimeError(f"after {FRUITLESS} draws there is no legal answer to «{slot.name}»")

    def why_not(self, action: Action) -> Refusal | None:
        """The rule that forbids the action, or None if it is legal."""
        if action is self.vetted:
            return None
        script = self._script()
        try:
            slot = next(script)
            while True:
                token = self._reply(action, slot)
                if token not in slot.values:
                    return slot.why_not(action, token)
                slot = script.send(token)
        except StopIteration as end:
            if end.value != action:
                why = self._why_strange(action) if self._why_strange is not None else None
                return why or Refusal(self._rule, "«{}» names what is not there", (action.do,))
            self.vetted = action
            return None

    @staticmethod
    def _reply(action: Action, slot: Slot) -> Token:
        try:
            return action.reply(slot)
        except AttributeError:
            return ""

    def default(self) -> A:
        """The answer that commits least: the first of the canonical subset, `done` wherever there is one.

        Raises Illegal if the set is empty.
        """
        for action in self:
            return action
        slot = self.first()
        raise Illegal(slot.refuse("") if slot else Refusal(self._rule, "there is no legal answer"))

    def only(self) -> A | None:
        """The one answer that there is; None if there are several, or none."""
        return self.fill(lambda slot: slot.values[0] if len(slot.values) == 1 else None)

    def __contains__(self, action: Action) -> bool:
        return self.why_not(action) is None

    def first(self) -> Slot | None:
        """The first question; None if there is none."""
        return next(self._script(), None)

    def options(self, partial: Sequence[Token] = ()) -> Options:
        """What may come next after the tokens of `partial`, and what may not and why.

        Raises ValueError if a token of `partial` is itself not legal.
        """
        script = self._script()
        try:
            slot = next(script)
            for token in partial:
                if token not in slot.values:
                    raise ValueError(slot.refuse(token).text)
                slot = script.send(token)
        except StopIteration as end:
            return Options("", action=end.value)
        return options_of(slot)

    def fill(self, answer: Callable[[Slot], Token | None]) -> A | None:
        """Fills an action in by the answers to its questions, in one go; None as soon as one is left open.

        Raises ValueError for an answer that is not legal.
        """
        script = self._script()
        try:
            slot = next(script)
            while (token := answer(slot)) is not None:
                if token not in slot.values:
                    raise ValueError(slot.refuse(token).text)
                slot = script.send(token)
        except StopIteration as end:
            action: A = end.value
            return action
        return None

    def __iter__(self) -> Iterator[A]:
        """Goes through the canonical subset: each slot's `canon`, or all its values where it names none."""
        return self.walk(lambda slot, taken: slot.values if slot.canon is None else slot.canon)

    def walk(self, choose: Callable[[Slot, Sequence[Token]], Sequence[Token]]) -> Iterator[A]:
        """Goes through the actions that come of the answers which `choose` gives to each question, the first first.

        `choose` is told the answers before; they must be legal. Where it gives none, the way ends.
        """
        stack: list[tuple[Token, ...]] = [()]
        while stack:
            taken = stack.pop()
            script = self._script()
            try:
                slot = next(script)
                for token in taken:
                    slot = script.send(token)
                while answers := choose(slot, taken):
                    stack.extend((*taken, token) for token in reversed(answers[1:]))
                    taken = (*taken, answers[0])
                    slot = script.send(answers[0])
            except StopIteration as end:
                yield end.value


def script_of(actions: Sequence[A], rule: str, reason: str) -> Script[A]:
    """Asks for one of some actions, field by field; `reason` refuses what is none of them."""
    left, names = list(actions), ["do"]
    while names:
        name = names.pop(0)
        values = tuple(dict.fromkeys(getattr(action, name) for action in left))
        token = yield Slot(name, values, lambda token: Refusal(rule, reason, (token,)))
        left = [action for action in left if getattr(action, name) == token]
        names = names if name != "do" else list(left[0].__struct_fields__)
    return left[0]


def ask_members(
    name: str,
    pool: Sequence[M],
    why_not: Callable[[tuple[M, ...], Token], Refusal],
    *,
    can_add: Callable[[tuple[M, ...], Sequence[M]], bool] | None = None,
    can_stop: Callable[[tuple[M, ...]], bool] | None = None,
    refused: Callable[[tuple[M, ...], Sequence[M]], Sequence[Token]] | None = None,
) -> Generator[Slot, Token, tuple[M, ...]]:
    """Ask for some members of a pool in its order, until STOP.

    `why_not` refuses a token by those chosen before it. `can_add` is asked with the new one among the chosen, and with
    those of the pool after it; `can_stop` with the chosen. `refused` lists what is shown as refused.
    """
    left, chosen = tuple(pool), tuple[M, ...]()
    while True:
        values: list[Token] = [
            one for place, one in enumerate(left) if can_add is None or can_add((*chosen, one), left[place + 1 :])
        ]
        if can_stop is None or can_stop(chosen):
            values.append(STOP)
        shown = partial(refused, chosen, left) if refused is not None else None
        token = yield Slot(name, values, partial(why_not, chosen), index=len(chosen), refused=shown)
        if token == STOP:
            return chosen
        place = next(place for place, one in enumerate(left) if one == token)
        chosen, left = (*chosen, left[place]), left[place + 1 :]


def options_of(slot: Slot) -> Options:
    """What may be answered to a question, and what may not and why."""
    price = slot.price
    shown = tuple(slot.values)
    refused = [token for token in (slot.refused() if slot.refused else ()) if token not in slot.values]
    return Options(
        slot.name,
        shown,
        tuple(price(token) for token in shown) if price else (),
        tuple((token, slot.refuse(token)) for token in refused),
        index=slot.index,
    )
