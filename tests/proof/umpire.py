"""A verifiable umpire without a server: two players (or bots) with their chains and receipts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import NamedTuple

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, SIDES, Side, as_side, is_side
from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import (
    ALONE,
    CORRESPONDENCE,
    LIVE,
    TITLE,
    DeviceLink,
    Ledger,
    SharedDice,
    answers_of,
    opening_lines,
    signed_line,
    text_of,
)
from leuthen.play.proof.protocol import Chain, Signer
from leuthen.play.record import CONSENT, Header
from leuthen.play.record import text_of as record_of
from leuthen.play.table import Step, Table, end_words, make_header
from leuthen.screen.presenter import Surprise, TableRuleset
from leuthen.server.session.history import GameHistory, GameTransaction

SIGNER = Signer(b"the server's own key, 32 bytes..")
Change = Callable[["UmpireTransaction"], None]
Die = tuple[int, Sequence[str]]


class UmpireTransaction(GameTransaction):
    is_committed = False

    def on_committed(self, steps: Sequence[Step]) -> None:
        super().on_committed(steps)
        self.is_committed = True


def _give_instruction_answer(side: Side, answer: Action | Surprise, transaction: UmpireTransaction) -> None:
    transaction.answer_by_instruction(side, answer)


class Device(NamedTuple):
    chain: Chain
    number: int


@cache
def chain_of(seed: str, length: int = protocol.CHAIN_LENGTH) -> Chain:
    return Chain(protocol.digest(seed), length)


class Umpire:
    def __init__(
        self,
        ruleset: TableRuleset,
        scenario: str = "",
        options: Mapping[str, str] | None = None,
        *,
        seed: str = "0",
        chains: Sequence[bool] = (True, True),
        is_strict: bool = False,
        title: str = TITLE,
        takebacks: str = CONSENT,
        is_person: bool = False,
    ) -> None:
        self.ruleset = ruleset
        scenario = scenario or next(iter(ruleset.scenarios))
        self.secret = bytes.fromhex(protocol.digest("test secret", seed))
        self.game = f"game-{seed}"
        self.history = GameHistory(ruleset, ruleset.new_game(scenario, options or {}), takebacks)
        players = ["human" if chain or is_person else "random" for chain in chains]
        self.header: Header = make_header(
            ruleset, scenario, options or {}, players, game=self.game, takebacks=takebacks
        )
        commitment = protocol.seal_secret(self.secret, self.game)
        self.opening = opening_lines(commitment, SIGNER.public, LIVE if is_strict else CORRESPONDENCE, title)
        self.ledger = Ledger(self.header.lines(), self.game, ruleset.sides, self.opening)
        self.entries: list[tuple[str, str]] = []
        self.proof: list[str] = []
        self.receipts: list[str] = []
        self.devices: dict[str, Device] = {}
        for side, has_chain in zip(ruleset.sides, chains, strict=True):
            if has_chain:
                self.sit(side, chain_of(f"{side} {seed}"))

    @property
    def table(self) -> Table:
        return self.history.table

    def sit(self, side: str, chain: Chain, why: str = "first") -> None:
        copy = self.ledger.copy()
        number = copy.give_chain(side, chain.top, chain.length, why)
        self.devices[side] = Device(chain, number)
        copy.close()
        self._store(copy)

    def cause(self, side: str) -> DeviceLink | str:
        if side not in self.devices:
            return "table"
        chain, number = self.devices[side]
        given = self.ledger.chains[side][number - 1].given + 1
        if given > chain.length:
            self.sit(side, chain_of(f"{side} again {len(self.proof)}"), "used-up")
            return self.cause(side)
        return DeviceLink(number, given, chain.link(given), self.ledger.blocks, self.ledger.head)

    def ask(self, side: str, work: Change, cause: DeviceLink | str = "") -> None:
        self._do(side, cause or self.cause(side), work)

    def order(self, side: Side, text: str, cause: DeviceLink | str = "") -> None:
        self.ask(self.ruleset.sides[side], lambda transaction: transaction.act(side, text), cause)

    def say(self, side: Side, text: str) -> None:
        self.ask(self.ruleset.sides[side], lambda transaction: transaction.say(side, text))

    def share(self) -> None:
        waiting = self.ledger.waiting
        assert waiting is not None
        self.ask(waiting.sides[-1], lambda transaction: None)

    def switch(self, side: Side, said: str, cause: str = "") -> None:
        name = self.ruleset.sides[side]
        self._do(name, cause or self.cause(name), lambda transaction: None, said)

    def undo_waiting(self) -> bool:
        waiting, asked = self.ledger.waiting, self.table
        for side in SIDES if waiting is not None else ():
            waiting_place = asked.waiting_order(side)
            if waiting_place is not None and waiting is not None and waiting.sides != (self.ruleset.sides[side],):
                self.say(side, f"take-back {waiting_place}")
                return True
        return False

    def roll(self) -> None:
        self._do("", "table", lambda transaction: None)

    def instruct(self, side: Side) -> bool:
        if self.ruleset.standing is None or self.table.instructions[side].is_armed:
            return False
        self.say(side, "standing hold other")
        return True

    def answer_by_instruction(self) -> bool:
        for side in SIDES:
            answer = self.table.instruction_answer(side)
            if answer is not None:
                self._do(self.ruleset.sides[side], "table", partial(_give_instruction_answer, side, answer))
                return True
        return False

    def _do(self, side: str, cause: DeviceLink | str, work: Change, pace: str = "") -> None:
        copy, transaction = self.ledger.copy(), UmpireTransaction(self.history)
        if isinstance(cause, DeviceLink):
            copy.give_link(side, cause)
        else:
            copy.take(cause)
        if pace == ALONE:
            copy.roll_alone(side)
        elif pace:
            copy.switch(side, pace)
        work(transaction)
        table = transaction.table
        dice, waits, places = SharedDice(self.secret, self.game, copy.links_at), tuple[str, ...](), list[Die]()
        numbering = self._number_lines(copy, transaction, dice, places, side, is_instructed=cause == "table")
        while table.outcome is None:
            if chances := self.ruleset.chances(table.state):
                next(numbering)
                waits = copy.awaited_sides(table.place)
                if waits:
                    break
                places.append((table.place, answers_of(self.ruleset, table.state, chances)))
                transaction.say(
                    CHANCE, self.ruleset.format_action(table.state, CHANCE, dice.outcome_at(table.place, chances))
                )
            elif (forced := table.forced) is not None:
                transaction.give(*forced)
            else:
                break
        next(numbering)
        ended = end_words(table)
        if ended:
            copy.end(ended)
        if transaction.is_committed or waits or ended:
            copy.close(table.place, waits if copy.waiting is None else ())
        self.history.accept(transaction)
        self._store(copy)

    def _number_lines(
        self,
        copy: Ledger,
        transaction: UmpireTransaction,
        dice: SharedDice,
        places: list[Die],
        owner: str,
        *,
        is_instructed: bool,
    ) -> Iterator[None]:
        bound = 0
        while True:
            for actor, text in transaction.lines[bound:]:
                bound, name, number = bound + 1, transaction.table.name(actor), len(self.entries) + 1
                if name not in ("chance", owner) and name in self.devices:
                    copy.take(f"bare {name} program")
                    owner = name
                elif is_instructed:
                    owner = ""
                commitment = protocol.commit_line(self.secret, self.game, number, name, text)
                if actor == CHANCE:
                    place, answers = places.pop(0)
                    copy.add_line(number, commitment, place, dice.cases[place], answers)
                elif copy.waiting is not None and text.startswith("take-back "):
                    copy.add_taken_back(number, commitment)
                else:
                    copy.add_line(number, commitment)
                self.entries.append((name, text))
            yield

    def _store(self, copy: Ledger) -> None:
        self.proof += copy.added
        self.ledger = copy
        self.receipts += [self.receipt(side) for side in self.devices]

    def receipt(self, side: str = "") -> str:
        text = self.ledger.checkpoint(side)
        return f"{text}signed {SIGNER.sign(text)}\n"

    def play_at_random(
        self, rng: Random, *, requests: int = 100_000, instructs: float = 0, undoes: float = 0
    ) -> Umpire:
        bots = [make_bot("random", self.ruleset.name, side, rng.getrandbits(32)) for side in SIDES]
        self.roll()
        for _ in range(requests):
            if self.ledger.waiting is not None:
                if not (undoes and rng.random() < undoes and self.undo_waiting()):
                    self.share()
                continue
            if self.answer_by_instruction() or (
                instructs and rng.random() < instructs and self.instruct(as_side(rng.randrange(2)))
            ):
                continue
            asked = self.ruleset.pending(self.table.state)
            if self.table.outcome is not None or not asked:
                break
            pending = rng.choice(asked)
            side = pending.actor
            assert is_side(side)
            seen = self.table.visible_state(side)
            if rng.random() < 0.03 and self.table.can_undo(side):
                self.say(side, "undo")
                continue
            view = partial(self.ruleset.view, seen, side)
            action = bots[side].choose(view, self.ruleset.legal_actions(seen, side), pending)
            assert isinstance(action, Action)
            self.order(side, self.ruleset.format_action(seen, side, action))
        return self

    def file(self) -> str:
        end = end_words(self.table)
        signature = SIGNER.sign(self.ledger.checkpoint())
        record = record_of(self.header, self.entries, end)
        signed = signed_line(self.ledger.blocks, self.ledger.head, signature)
        return text_of(record, self.opening, self.proof, self.secret if end else None, signed)
