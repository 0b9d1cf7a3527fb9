"""The seal of a game: its growing proof, dice from the secrets of all players, and the signed status of each seat.

The protocol is specified in docs/proof.md. `Ledger` implements it; this module decides when to use its verbs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import count
from typing import Final, TypeVar

from msgspec import UNSET, UnsetType

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, WATCHER, ActorId, SeatSide, Side, is_side
from leuthen.play.dice import Odds
from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import (
    ALONE,
    CORRESPONDENCE,
    LIVE,
    NO,
    PACES,
    DeviceLink,
    Ledger,
    SharedDice,
    answers_of,
    opening_lines,
    signed_line,
    text_of,
)
from leuthen.play.proof.protocol import Signer
from leuthen.play.record import TAKE_BACK, Header
from leuthen.play.table import Table, end_words
from leuthen.server.session import messages
from leuthen.server.session.history import GameTransaction, RecordLine
from leuthen.server.session.messages import STALE, TOO_MANY, fault
from leuthen.storage.rows import GameRow, SeatRow, StoredGame

T = TypeVar("T")
MOST_CHAINS: Final = 64
"""Maximum number of chains (devices) of a seat."""
_OPENING: Final = 4


class GameSeal:
    """The seal of a game as stored. It changes only by accepting a `Sealing`."""

    def __init__(
        self, secret: bytes, signing: bytes, header: Header, sides: tuple[str, str], opening: Sequence[str]
    ) -> None:
        self.ledger = Ledger(header.lines(), header.game, sides, opening)
        self.opening = tuple(opening)
        self.lines: list[str] = []
        """The proof lines after the opening."""
        self.blocks: list[messages.ProofBlock] = []
        self._secret = secret
        self.signing = signing
        self._signer = Signer(signing)
        self._signed: dict[str, tuple[str, str]] = {}
        """By side name: the checkpoint signed last, and the signature."""

    def sealing(self, transaction: GameTransaction | None = None) -> Sealing:
        return Sealing(self, self._secret, transaction)

    def accept(self, sealing: Sealing) -> None:
        self.ledger = sealing.ledger
        self.take_added()

    def take_added(self) -> None:
        """Take over the lines that the ledger has added, with at most one block."""
        for line in self.ledger.added:
            self.lines.append(line)
            if line.startswith("block "):
                self.blocks.append(messages.ProofBlock(self.ledger.body, line.partition(" waits ")[2]))
        self.ledger.added = []

    @property
    def length(self) -> int:
        return _OPENING + len(self.lines)

    @property
    def waiting(self) -> int:
        """The first side whose link is awaited, or -1."""
        waiting = self.ledger.waiting
        return -1 if waiting is None else self.ledger.sides.index(waiting.sides[0])

    def is_waiting_for(self, side: SeatSide) -> bool:
        waiting = self.ledger.waiting
        return waiting is not None and is_side(side) and self.ledger.sides[side] in waiting.sides

    def status(self, side: SeatSide) -> messages.SealStatus:
        """Return the signed status for a seat, sent with each answer."""
        ledger, blocks, head = self.ledger, self.ledger.blocks, self.ledger.head
        name = "" if side == WATCHER else ledger.sides[side]
        own, own_head = ledger.own(name) if name else (0, "")
        checkpoint = protocol.checkpoint(ledger.game, blocks, head, (name, own, own_head) if name else None)
        signed = self._signed.get(name)
        if signed is None or signed[0] != checkpoint:
            signed = self._signed[name] = checkpoint, self._signer.sign(checkpoint)
        last = self.blocks[-1] if blocks else messages.ProofBlock("", "")
        waiting = side if self.is_waiting_for(side) else self.waiting
        alone = sum(rule == ALONE for rule in ledger.rules.values())
        found = blocks, head, last.body, last.waits, own, own_head, signed[1], waiting
        return messages.SealStatus(*found, self._shares, ledger.pace, alone)

    @property
    def _shares(self) -> tuple[bool, bool]:
        first, second = self.ledger.sides
        return self.ledger.has_chain(first), self.ledger.has_chain(second)

    @property
    def shown(self) -> tuple[object, ...]:
        """The facts whose change concerns everyone at the table."""
        return len(self.blocks), self.ledger.waiting, self._shares, self.ledger.pace

    def card(self, side: SeatSide) -> messages.SealCard:
        ledger = self.ledger
        chains = () if side == WATCHER else ledger.chains[ledger.sides[side]]
        return messages.SealCard(
            commit=self.opening[1].removeprefix("commit "),
            key=self._signer.public,
            sides=ledger.sides,
            pace=PACES[self.opening[0]][self.opening[-1]],
            can_switch=ledger.can_switch,
            chains=tuple(
                messages.OwnChain(number, links.length, links.given, links.last)
                for number, links in enumerate(chains, 1)
            ),
            now=self.status(side),
        )

    def proof(self, *, is_over: bool) -> str:
        """Return the proof as it follows the record in a file; with the secret when the game is over."""
        ledger = self.ledger
        signed = signed_line(ledger.blocks, ledger.head, self._signer.sign(ledger.checkpoint()))
        return text_of("", self.opening, self.lines, self._secret if is_over else None, signed)

    def __repr__(self) -> str:
        return "Seal(hidden)"


class Sealing:
    """A copy of the seal during a transaction: it answers for chance and binds the transaction's lines."""

    def __init__(self, seal: GameSeal, secret: bytes, transaction: GameTransaction | None) -> None:
        self.ledger = seal.ledger.copy()
        self._tried = transaction
        self._bound = 0
        """Number of bound lines of the transaction."""
        self._actor: ActorId = CHANCE
        """The side that caused the current group of lines; CHANCE if none did."""
        self._is_asked = False
        """Whether a request caused the group: then it covers all its lines, else one."""
        self.first = seal.length
        """Number of the first added proof line."""
        self._secret = secret
        self._falls: list[tuple[int, Sequence[str]]] = []
        """Places with outcomes that are not bound yet, and the answers of a draw."""
        self._waits: tuple[int, Sequence[str]] = (-1, ())
        """The place where a die is pending, and the sides whose links it needs."""

    # --- who asks ----------------------------------------------------------------------------------------------------

    def asked(self, side: Side, share: messages.Share | UnsetType) -> Sealing:
        """Begin a seat's request, with or without the next link of its device. Raise Fault if the link does not fit."""
        name, self._actor, self._is_asked = self.ledger.sides[side], side, True
        if share is UNSET:
            self.ledger.take(f"bare {name} {'lost' if self.ledger.has_chain(name) else 'program'}")
            return self
        try:
            self.ledger.give_link(name, DeviceLink(share.chain, share.number, share.link, share.seen, share.head))
        except Invalid as error:
            raise fault(STALE, "The seal does not match", f"Nothing was changed: {error}.") from None
        return self

    def settle_pace(self, side: Side, asking: Side | None, *, is_agreed: bool) -> None:
        """Bind what a request says of the pace: it agrees to the other one, or `asking` is the side that asks now."""
        ledger, name = self.ledger, self.ledger.sides[side]
        asks = "" if asking is None else ledger.sides[asking]
        if ledger.asking and not is_agreed and asks != ledger.asking:
            ledger.switch(name, NO)
        if is_agreed or asks not in ("", ledger.asking):
            ledger.switch(name, other_pace(ledger.pace))

    def roll_alone(self, side: Side) -> bool:
        """Roll the pending die without the other side's link; return False if it does not wait for that alone."""
        try:
            self.ledger.roll_alone(self.ledger.sides[side])
        except Invalid:
            return False
        return True

    def begin_unrequested(self, side: ActorId) -> Sealing:
        """Begin a group that no request caused: a side's bot or standing instruction, or chance."""
        self._actor = side
        self.ledger.take("table")
        return self

    def give_chain(self, side: Side, chain: messages.NewChain) -> Sealing:
        """Add the chain of a seat's device. Raise Fault if there are too many."""
        name = self.ledger.sides[side]
        there = len(self.ledger.chains[name])
        if there >= MOST_CHAINS:
            detail = f"This seat has used {MOST_CHAINS} devices, the most that can seed its rolls."
            raise fault(TOO_MANY, "Too many devices", detail)
        self.ledger.give_chain(name, chain.top, chain.length, chain.why if there else "first")
        return self

    def bind_import(self, record: Sequence[RecordLine], name: Callable[[ActorId], str]) -> Sealing:
        """Bind the lines of an imported record; their dice are not proved."""
        self.ledger.take("brought")
        places = count()
        for number, (actor, text) in enumerate(record, 1):
            commitment = protocol.commit_line(self._secret, self.ledger.game, number, name(actor), text)
            self.ledger.add_line(number, commitment, next(places) if actor == CHANCE else None, 1)
        self.ledger.close()
        return self

    # --- chance ------------------------------------------------------------------------------------------------------

    @cached_property
    def _dice(self) -> SharedDice:
        return SharedDice(self._secret, self.ledger.game, self.ledger.links_at)

    def outcome_at(self, place: int, odds: Odds[T]) -> T:
        assert self._tried is not None
        table = self._tried.table
        self._falls.append((place, answers_of(table.ruleset, table.state, table.ruleset.chances(table.state))))
        return self._dice.outcome_at(place, odds)

    def is_pending(self, place: int) -> bool:
        """Return whether a die at a place needs further links, at the live pace."""
        self._bind()
        if self.ledger.waiting is not None:
            return True
        self._waits = place, self.ledger.awaited_sides(place)
        return bool(self._waits[1])

    # --- what was done -----------------------------------------------------------------------------------------------

    def finish(self, *, is_told: bool, end: str) -> None:
        """Bind the transaction's lines, and the outcome's words if it has ended.

        A block is closed if spectators learn anything, or a die becomes pending.
        """
        self._bind()
        if end:
            self.ledger.end(end)
        if is_told or end or self._waits[1]:
            self.ledger.close(*self._waits)

    def _bind(self) -> None:
        assert self._tried is not None
        lines, name, known = self._tried.lines, self._tried.table.name, len(self._tried.history.record)
        for number, (actor, text) in enumerate(lines[self._bound :], known + self._bound + 1):
            if actor not in (CHANCE, self._actor) and self.ledger.has_chain(self.ledger.sides[actor]):
                self._actor = actor  # a forced answer, which came without a link of its side
                self.ledger.take(f"bare {self.ledger.sides[actor]} program")
            elif actor == self._actor != CHANCE and not self._is_asked:
                self._actor = CHANCE  # its instruction has answered; what else it is asked is another matter
            commitment = protocol.commit_line(self._secret, self.ledger.game, number, name(actor), text)
            if actor == CHANCE:
                place, answers = self._falls.pop(0)
                self.ledger.add_line(number, commitment, place, self._dice.cases[place], answers)
            elif self.ledger.waiting is not None and text.startswith(f"{TAKE_BACK} "):
                self.ledger.add_taken_back(number, commitment)
            else:
                self.ledger.add_line(number, commitment)
        self._bound = len(lines)


def other_pace(pace: str) -> str:
    return CORRESPONDENCE if pace == LIVE else LIVE


def begin(secret: bytes, signing: bytes, header: Header, sides: tuple[str, str], pace: str) -> GameSeal:
    """Return the seal of a new game, whose record begins with `header`."""
    opening = opening_lines(protocol.seal_secret(secret, header.game), Signer(signing).public, pace)
    return GameSeal(secret, signing, header, sides, opening)


def restore_stored(found: StoredGame, sides: tuple[str, str]) -> GameSeal | None:
    """Restore the seal of a stored game; None if it has none. Raise Invalid if its proof is damaged."""
    if not found.signing or not found.proof:
        return None
    header = header_for(found.game, found.seats, sides)
    seal = GameSeal(found.key, found.signing, header, sides, found.proof[:_OPENING])
    for line in found.proof[_OPENING:]:
        seal.ledger.take(line)
        seal.take_added()
    return seal


def header_for(game: GameRow, seats: Sequence[SeatRow], sides: Sequence[str]) -> Header:
    who = ["human" if seat.who == "person" else seat.who for seat in seats[:2]]
    players = dict(zip(sides, who, strict=True))
    return Header(game.ruleset, game.version, game.scenario, game.data, game.options, players, game.id, game.takebacks)


def end_words_for(table: Table, *, is_unplayable: bool) -> str:
    """Return the outcome's words that end a record, or ""; without the last position if that is unknown here."""
    words = end_words(table)
    return f"{words.rpartition(' ')[0]} -" if words and is_unplayable else words  # the last position is not known here
