"""The seal of a game: its proof as it grows, dice of everybody's secrets, and what each seat is told of it, signed.

The protocol is that of docs/proof.md. `Ledger` knows it; here stands when its verbs are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, TypeVar

from msgspec import UNSET, UnsetType

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, WATCHER, ActorId, SeatSide, Side, is_side
from leuthen.play.dice import Odds
from leuthen.play.proof import protocol, section
from leuthen.play.proof.ledger import GivenLink, Ledger, SharedDice, answers_of, opening_lines
from leuthen.play.proof.protocol import Signer
from leuthen.play.record import TAKE_BACK, Header
from leuthen.play.table import Table, end_words
from leuthen.server.session import messages
from leuthen.server.session.history import GameTransaction, RecordLine
from leuthen.server.session.problems import STALE, TOO_MANY, fault
from leuthen.storage.rows import GameRow, KeptGame, SeatRow

T = TypeVar("T")
MOST_CHAINS: Final = 64
"""Chains of one seat: more devices than anybody has."""
MOST_BLOCKS: Final = 2000
"""Blocks that are told in one answer."""
_OPENING: Final = 4
"""Lines that begin a proof."""


class GameSeal:
    """The seal of a game as it stands on disk. It changes only by a `Sealing` that was kept."""

    def __init__(self, secret: bytes, signer: Signer, ledger: Ledger, opening: Sequence[str]) -> None:
        self.ledger = ledger
        self.opening = tuple(opening)
        self.lines: list[str] = []
        """Those of the proof after its opening."""
        self.blocks: list[messages.ProofBlock] = []
        self._secret = secret
        self._signer = signer
        self._signed: dict[str, tuple[str, str]] = {}
        """By the name of a side, what was signed for it last, and the signature."""

    def take(self, proof: Sequence[str]) -> None:
        """Takes in the lines of a proof after its opening. Raises Invalid."""
        for line in proof:
            self.ledger.take(line)
            if line.startswith("block "):
                self.blocks.append(_block(self.ledger, line))
        self.lines, self.ledger.added = list(proof), []

    def sealing(self, transaction: GameTransaction | None = None) -> Sealing:
        """Go on with the seal, to bind what is done in a transaction."""
        return Sealing(self, self._secret, transaction)

    def accept(self, sealing: Sealing) -> None:
        """What was tried is on disk."""
        self.ledger = sealing.ledger
        self.lines.extend(self.ledger.added)
        self.blocks.extend(_block(self.ledger, line) for line in self.ledger.added if line.startswith("block "))
        self.ledger.added = []

    @property
    def length(self) -> int:
        return _OPENING + len(self.lines)

    @property
    def waiting(self) -> int:
        """The first side for whose link chance waits, or -1."""
        waiting = self.ledger.waiting
        return -1 if waiting is None else self.ledger.sides.index(waiting.sides[0])

    def waits_for(self, side: SeatSide) -> bool:
        """Whether chance waits for the link of a side."""
        waiting = self.ledger.waiting
        return waiting is not None and is_side(side) and self.ledger.sides[side] in waiting.sides

    def with_chain(self, side: Side, chain: messages.NewChain, transaction: GameTransaction) -> Sealing | None:
        """Go on with a chain that a seat's device has made; None if it was told before, and not used yet.

        Raise Fault if there are too many.
        """
        is_there = any(links.last == chain.top for links in self.ledger.chains[self.ledger.sides[side]])
        return None if is_there else self.sealing(transaction).give_chain(side, chain)

    def with_share(self, side: Side, share: messages.Share, transaction: GameTransaction) -> Sealing | None:
        """Go on with the link of a seat for which chance waits; None if it waits for none."""
        return self.sealing(transaction).asked(side, share) if self.waits_for(side) else None

    def told(self, side: SeatSide) -> messages.SealStatus:
        """What a seat is told and signed with each answer, or the gallery."""
        ledger, blocks, head = self.ledger, self.ledger.blocks, self.ledger.head
        name = "" if side == WATCHER else ledger.sides[side]
        own, own_head = ledger.own(name) if name else (0, "")
        checkpoint = protocol.checkpoint(ledger.game, blocks, head, (name, own, own_head) if name else None)
        signed = self._signed.get(name)
        if signed is None or signed[0] != checkpoint:
            signed = self._signed[name] = checkpoint, self._signer.sign(checkpoint)
        last = self.blocks[-1] if blocks else messages.ProofBlock("", "")
        waiting = side if self.waits_for(side) else self.waiting
        return messages.SealStatus(blocks, head, last.body, last.waits, own, own_head, signed[1], waiting, self._shares)

    @property
    def _shares(self) -> tuple[bool, bool]:
        first, second = self.ledger.sides
        return self.ledger.has_chain(first), self.ledger.has_chain(second)

    @property
    def shown(self) -> tuple[object, ...]:
        """What everybody at the table may see change."""
        return len(self.blocks), self.ledger.waiting, self._shares

    def card(self, side: SeatSide) -> messages.SealCard:
        """All that a seat has to know of the seal when it comes to the table."""
        ledger = self.ledger
        chains = () if side == WATCHER else ledger.chains[ledger.sides[side]]
        return messages.SealCard(
            commit=self.opening[1].removeprefix("commit "),
            key=self._signer.public,
            sides=ledger.sides,
            is_strict=ledger.is_strict,
            chains=tuple(
                messages.OwnChain(number, links.length, links.given, links.last)
                for number, links in enumerate(chains, 1)
            ),
            now=self.told(side),
        )

    def proof(self, *, is_over: bool) -> str:
        """The proof as it stands behind the record in a file; the secret is opened when the game is over."""
        ledger = self.ledger
        signature = self._signer.sign(ledger.checkpoint())
        signed = section.signed_line(ledger.blocks, ledger.head, signature)
        return section.text_of("", self.opening, self.lines, self._secret if is_over else None, signed)

    def after(self, number: int) -> messages.Blocks:
        """The blocks after a number, the first of them."""
        found = self.blocks[max(number, 0) : max(number, 0) + MOST_BLOCKS]
        return messages.Blocks(tuple(found))

    def expect_nothing_falls(self) -> None:
        """Raises Fault while chance waits: till it has answered, only who has acted takes his order back, by `undo`."""
        if self.waiting >= 0:
            raise fault(STALE, "A die has yet to fall", "No takeback is asked for or granted until it has fallen.")

    def __repr__(self) -> str:
        return "Seal(hidden)"


class Sealing:
    """A seal with which something is tried: it answers for chance, and takes in what a transaction has done."""

    def __init__(self, seal: GameSeal, secret: bytes, transaction: GameTransaction | None) -> None:
        self.ledger = seal.ledger.copy()
        self._tried = transaction
        self._line = 0 if transaction is None else len(transaction.history.record)
        """The number of the last line of the record that is bound."""
        self._bound = 0
        """Lines of the transaction that are bound."""
        self._actor: ActorId = CHANCE
        """The side whose lines the group is for; CHANCE where it is for none."""
        self._is_asked = False
        """Whether a request has brought the group about, so that it is for all its lines; else it is for one."""
        self.first = seal.length
        """The number of the first line that is added."""
        self._secret = secret
        self._dice = SharedDice(secret, self.ledger.game, self.ledger.links_at)
        self._falls: list[tuple[int, Sequence[str]]] = []
        """Places at which chance has answered and that are not bound yet, with the answers of a draw."""
        self._waits: tuple[int, Sequence[str]] = (-1, ())
        """The place at which chance waits, and the sides for whose links."""

    # --- who asks ----------------------------------------------------------------------------------------------------

    def asked(self, side: Side, share: messages.Share | UnsetType) -> Sealing:
        """A seat's request begins, with the next link of its device's chain or without one.

        Raises Fault if the link does not fit.
        """
        name, self._actor, self._is_asked = self.ledger.sides[side], side, True
        if share is UNSET:
            self.ledger.begin(f"bare {name} {'lost' if self.ledger.has_chain(name) else 'program'}")
            return self
        try:
            self.ledger.give_link(name, GivenLink(share.chain, share.number, share.link, share.seen, share.head))
        except Invalid as error:
            raise fault(STALE, "The seal does not fit", f"Nothing was done: {error}.") from None
        return self

    def by_itself(self, side: ActorId) -> Sealing:
        """What comes was brought about by no request, but by a side's machine or standing instruction, or chance."""
        self._actor = side
        self.ledger.begin("table")
        return self

    def give_chain(self, side: Side, chain: messages.NewChain) -> Sealing:
        """A device of a seat has made a chain. Raises Fault if there are too many."""
        name = self.ledger.sides[side]
        there = len(self.ledger.chains[name])
        if there >= MOST_CHAINS:
            raise fault(
                TOO_MANY, "Too many devices", f"{MOST_CHAINS} devices have had a part in the dice of this seat."
            )
        self.ledger.give_chain(name, chain.top, chain.length, chain.why if there else "first")
        return self

    def bring(self, record: Sequence[RecordLine], name: Callable[[ActorId], str]) -> Sealing:
        """The lines of an older record with which the game begins: they are bound, and their dice are not proved."""
        self.ledger.begin("brought")
        places = count()
        for number, (actor, text) in enumerate(record, 1):
            commitment = protocol.commit_line(self._secret, self.ledger.game, number, name(actor), text)
            self.ledger.add_line(number, commitment, next(places) if actor == CHANCE else None, 1)
        self.ledger.close()
        return self

    # --- chance ------------------------------------------------------------------------------------------------------

    def at(self, place: int, odds: Odds[T]) -> T:
        assert self._tried is not None
        table = self._tried.table
        self._falls.append((place, answers_of(table.ruleset, table.state, table.ruleset.chances(table.state))))
        return self._dice.at(place, odds)

    def waits(self, place: int) -> bool:
        """Whether chance waits at a place for links of seats, at a strict table."""
        self._bind()
        if self.ledger.waiting is not None:
            return True
        self._waits = place, self.ledger.waits_for(place)
        return bool(self._waits[1])

    # --- what was done -----------------------------------------------------------------------------------------------

    def finish(self, *, is_told: bool, end: str) -> None:
        """Binds what the transaction has done; `end`: the words of the outcome, if any.

        A block is closed if the gallery is told of anything, or chance begins to wait.
        """
        self._bind()
        if end:
            self.ledger.end(end)
        if is_told or end or self._waits[1]:
            self.ledger.close(*self._waits)

    def _bind(self) -> None:
        """Binds the lines that the transaction has written since the last time."""
        assert self._tried is not None
        lines, name = self._tried.lines, self._tried.table.name
        for actor, text in lines[self._bound :]:
            self._line += 1
            self._cover(actor)
            commitment = protocol.commit_line(self._secret, self.ledger.game, self._line, name(actor), text)
            if actor == CHANCE:
                place, answers = self._falls.pop(0)
                self.ledger.add_line(self._line, commitment, place, self._dice.cases[place], answers)
            elif self.ledger.waiting is not None and text.startswith(f"{TAKE_BACK} "):
                self.ledger.add_taken_back(self._line, commitment)
            else:
                self.ledger.add_line(self._line, commitment)
        self._bound = len(lines)

    def _cover(self, actor: ActorId) -> None:
        """What the table answers for a side that has nothing to choose came with no link of that side: that is told."""
        if actor not in (CHANCE, self._actor) and self.ledger.has_chain(self.ledger.sides[actor]):
            self._actor = actor
            self.ledger.begin(f"bare {self.ledger.sides[actor]} program")
        elif actor == self._actor != CHANCE and not self._is_asked:
            self._actor = CHANCE  # its instruction has answered; what else it is asked is another matter


def begin(secret: bytes, signing: bytes, header: Header, sides: tuple[str, str], *, is_strict: bool) -> GameSeal:
    """The seal of a new game, in which nothing has happened. `header` begins its record."""
    signer = Signer(signing)
    opening = opening_lines(protocol.seal_secret(secret, header.game), signer.public, is_strict=is_strict)
    return GameSeal(secret, signer, Ledger(header.lines(), header.game, sides, opening), opening)


def bring_back(found: KeptGame, sides: tuple[str, str]) -> GameSeal | None:
    """The seal of a game as it is kept; None if it has none. Raises Invalid if its proof is damaged."""
    if not found.signing or not found.proof:
        return None
    header, opening = heading(found.game, found.seats, sides), found.proof[:_OPENING]
    ledger = Ledger(header.lines(), found.game.id, sides, opening)
    seal = GameSeal(found.key, Signer(found.signing), ledger, opening)
    seal.take(found.proof[_OPENING:])
    return seal


def heading(game: GameRow, seats: Sequence[SeatRow], sides: Sequence[str]) -> Header:
    """The header of a game's record."""
    who = ["human" if seat.who == "person" else seat.who for seat in seats[:2]]
    players = dict(zip(sides, who, strict=True))
    return Header(game.ruleset, game.version, game.scenario, game.data, game.options, players, game.id, game.takebacks)


def ending(table: Table, *, is_stranded: bool) -> str:
    """The words of a game's outcome as its record ends with them, or ""."""
    words = end_words(table)
    return f"{words.rpartition(' ')[0]} -" if words and is_stranded else words  # the last position is not known here


def _block(ledger: Ledger, line: str) -> messages.ProofBlock:
    return messages.ProofBlock(ledger.body, line.partition(" waits ")[2])
