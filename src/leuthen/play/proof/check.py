"""Verification of a record's proof: what holds, the first line that does not, and what cannot be checked or proved.

The rules are not consulted here; whether lines are legal is checked by `play.proof.rules`. Only canonical text is
accepted, so that all readers agree on its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES
from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import (
    ALONE,
    BACK,
    CORRESPONDENCE,
    DIE,
    LIVE,
    ONE,
    TWO,
    Ledger,
    answers_in,
    number_in,
    shown,
)
from leuthen.play.proof.protocol import NO_LINK, is_signed
from leuthen.play.proof.section import NO_PROOF, Receipt, Section, UncheckableFile, read_section
from leuthen.play.record import (
    AGREE,
    FREE,
    RESIGN,
    STANDING,
    TAKE_BACK,
    UNDO,
    Record,
    RecordEntry,
    RecordError,
)
from leuthen.play.table import BETWEEN, OFF, STOP
from leuthen.wargame.names import format_count

_CHANCE: Final = "chance"
_WORDS: Final = (RESIGN, AGREE, STANDING)
"""Table commands that move no place and are allowed while a die is pending."""
MOST_LINES: Final = 100_000
"""Maximum number of record lines; the longest wars have a twentieth."""
_CONSENTS: Final = (AGREE, TAKE_BACK)
"""Commands that answer a request of the other side."""
_ALONE: Final = (RESIGN, AGREE, UNDO)
"""Commands without arguments."""
_HUMAN: Final = "human"
_ROLL: Final = re.compile(f"{DIE} ([1-9][0-9]?)")
_VERB: Final = re.compile("[a-z]+(-[a-z]+)*( |$)")
_FACES: Final = {ONE: range(1, 7), TWO: range(2, 13)}
"""By number of cases of one or two dice: the results that the record may show."""
_TOLD: Final = 8
"""Maximum number of lines listed in a sentence."""


class ChanceOutcome(NamedTuple):
    """An outcome of chance: its place, number of cases, and the links in force.

    `answers` are those listed by the proof for a draw, by case; none for dice, and for a draw without a list. `rule` is
    the pace at that time, or `alone`.
    """

    place: int
    cases: int
    links: tuple[str, str]
    answers: tuple[str, ...] = ()
    rule: str = ""


class UnlinkedLines(NamedTuple):
    """Record lines (from 1) that came without a link of their side, with the side."""

    bare: dict[int, str]
    """From a program, or forced."""
    instruction_answer: dict[int, str]
    """From a standing instruction of a side that has a chain."""


class CheckReport(NamedTuple):
    """The result of a check in which nothing was wrong."""

    holds: tuple[str, ...]
    unchecked: tuple[str, ...]
    """Facts that could not be checked, with counts and reasons; if there are any, the game is not whole."""
    open: tuple[str, ...]
    """Facts that no check of this file can prove."""
    fallen: Mapping[int, ChanceOutcome]
    """By record line (from 1): the outcomes of chance since the proof began."""
    secret: bytes | None
    """The game's secret, once disclosed."""
    unlinked: UnlinkedLines
    without_rules: tuple[str, ...] = ()
    """Facts that remain unchecked until the rules are consulted."""

    @property
    def is_whole(self) -> bool:
        """True if everything was checked, including the rules."""
        return not self.all_unchecked

    @property
    def all_unchecked(self) -> tuple[str, ...]:
        """All unchecked facts, including those that need the rules."""
        return (*self.unchecked, *self.without_rules)

    def with_rules_checked(self, said: str, chosen: Mapping[int, str]) -> CheckReport:
        """Return the report with the rules' result and the lines without a link that had a choice."""
        forced = len(self.unlinked.bare) - len(chosen)
        so = "came without a link; the rules left no choice"
        holds = (*self.holds, said, *([f"{format_count(forced, 'answer')} {so}."] if forced else []))
        without = tuple(without_link(chosen, "although there was a choice: by a program, or not by that side"))
        bare = self.unlinked._replace(bare={})
        return self._replace(holds=holds, unchecked=(*self.unchecked, *without), unlinked=bare, without_rules=())

    def with_rules_unchecked(self, why: str) -> CheckReport:
        """Return the report where the rules could not be consulted completely."""
        return self._replace(unchecked=(*self.unchecked, why))


def check(recorded: Record, receipts: Sequence[Receipt] = ()) -> CheckReport:
    """Check a record with its proof, and the receipts of players. Raise RecordError for the first bad line."""
    if not recorded.proof:
        raise UncheckableFile(recorded.path, NO_PROOF)
    expect_canonical(recorded)
    section = read_section(recorded.path, recorded.proof, len(recorded.lines) + 1)
    checker = _Checker(recorded, section)
    checker.run()
    for receipt in receipts:
        checker.compare(receipt)
    return checker.report(receipts)


def expect_canonical(recorded: Record) -> None:
    """Raise RecordError for the first line that is not in canonical form, so that each line has one reading."""
    if len(recorded.lines) > MOST_LINES:
        raise RecordError(recorded.path, "a record cannot be this long", MOST_LINES + 1)
    header = recorded.header
    entries = [f"{entry.number:>5} {entry.actor} {entry.text}" for entry in recorded.entries]
    lines = [*header.lines(), *entries, *([f"end {recorded.end}"] if recorded.end else [])]
    for number, (line, ours) in enumerate(zip_longest(recorded.lines, lines, fillvalue=""), 1):
        if line != ours or not protocol.is_plain(line.lstrip(" ")):
            raise RecordError(recorded.path, "this line is not in canonical form: spaces, characters or order", number)
    words = (header.ruleset, header.version, header.scenario, header.data, header.game, *header.options, *header.seats)
    if not all(words) or any(" " in word for word in words):
        raise RecordError(recorded.path, "the header of a proved game must give each fact in one word", 1)
    if len(header.seats) != len(SIDES) or _CHANCE in header.seats or any("," in side for side in header.seats):
        raise RecordError(recorded.path, "the record does not name two seats", 1)
    for entry in recorded.entries:
        if entry.actor not in (*header.seats, _CHANCE):
            raise RecordError(recorded.path, f'"{entry.actor[:20]}" does not play', entry.line)


class _Checker:
    """A ledger that reads the record's lines along with its own."""

    def __init__(self, recorded: Record, section: Section) -> None:
        self.recorded = recorded
        self.section = section
        header = recorded.lines[: len(recorded.lines) - len(recorded.entries) - bool(recorded.end)]
        first, second = recorded.header.seats
        self.ledger = Ledger(header, recorded.header.game, (first, second), section.opening)
        self.secret = bytes.fromhex(section.secret) if section.secret else None
        self.done = 0
        """Number of bound record lines."""
        self.line = section.body
        """The current line of the file."""
        self.fallen: dict[int, ChanceOutcome] = {}
        self.unlinked = UnlinkedLines({}, {})
        self.brought = 0
        self.brought_draws = 0
        self.unlisted: list[int] = []
        """Lines of draws whose outcome cannot be derived without the rules."""
        self.early: list[int] = []
        """Record lines of the dice rolled before any seat had a chain."""
        self._kind, self._owner = "", ""
        self._log: list[str] = []
        """Actors of the actions that count; "" for an undone one."""
        self._acted: dict[str, list[int]] = {}
        """By actor: indexes of its counting actions in the log."""
        self._stand = 0
        """Number of actions that count."""
        self._place = 0
        """Number of chance outcomes among them."""
        self._armed: set[str] = set()
        self._in_force: dict[str, str] = {}
        """By side: number of the chain that it used last."""
        self._due: dict[str, str] = {}
        """The same at the time when the die became pending."""
        self.agreed: list[int] = []
        """Lines that accept or grant a request of the other side, which no line proves."""
        self.strayed: dict[int, str] = {}
        """By the preceding record line: the side that gave an awaited link from another chain."""
        self.taken_back: dict[int, str] = {}
        """Lines that took back an order while its die was pending, with the awaited sides."""
        self._run, self._since = "", 0
        """The actor of the newest counting actions, if no takeback came between, and the number of actions before
        them."""
        self._owing: set[str] = set()
        """Sides that have taken back such an order without a new request since."""
        self.alone: list[str] = []
        """The sides that were awaited when the other side rolled alone."""
        self.bare_switches = 0
        """Number of words on the pace without a link of their side."""
        self._owns = {(side, 0): self.ledger.own(side)[1] for side in self.ledger.sides}
        self._has_ended = False

    def run(self) -> None:
        """Raise RecordError for the first line that does not hold."""
        self._expect_secret()
        for number, text in enumerate(self.section.lines, self.section.body):
            self.line = number
            try:
                self._take(text)
            except RecordError:
                raise
            except Invalid as error:
                raise self._record_error(str(error)) from None
        self._note_own()
        self.line = self.section.after
        self._expect_end()
        self._expect_signed()

    def _record_error(self, reason: str, line: int = 0) -> RecordError:
        return RecordError(self.recorded.path, reason, line or self.line)

    def _expect_secret(self) -> None:
        commitment = self.section.opening[1].removeprefix("commit ")
        if self.secret is not None and protocol.seal_secret(self.secret, self.ledger.game) != commitment:
            reason = "the opened secret is not the one committed before the game"
            raise self._record_error(reason, self.section.after)

    def _take(self, text: str) -> None:
        kind, *words = text.split(" ")
        if kind != "line":
            self._note_own()
        if kind == "line":
            self._take_line(text, words)
        elif self._has_ended and kind != "block":
            raise Invalid("only the block that binds the end of the game may follow it")
        else:
            self._expect_waits(kind, words)
            awaited = self.ledger.waiting.sides if self.ledger.waiting is not None else ()
            self.ledger.take(text)
            self.alone += awaited if kind == ALONE else ()
            self.bare_switches += kind in ("pace", ALONE) and self._kind == "bare"
            self._begin(kind, words)

    def _expect_waits(self, kind: str, words: Sequence[str]) -> None:
        """Check that chance waits at the next place, and only for the sides that the table's rule requires."""
        waiting = self.ledger.waiting
        if kind == "block" and len(words) == 5:
            needed = ",".join(self.ledger.awaited_sides(self._place))
            if words[3:] != [str(self._place), needed]:
                raise Invalid(f"chance can wait only at place {self._place}, for the link of {needed or 'no side'}")
            self._due = {side: self._in_force.get(side, "") for side in self.ledger.sides}
        elif kind in ("link", "chain"):
            is_awaited = kind == "link" and waiting is not None and words[0] in waiting.sides
            if is_awaited and words[1:2] != [self._due[words[0]]]:
                self.strayed[self.done] = words[0]
            self._in_force[words[0]] = "".join(words[1:2])

    def _note_own(self) -> None:
        """Note a seat's own head after its group, for its receipt."""
        if self._owner:
            number, own = self.ledger.own(self._owner)
            self._owns[self._owner, number] = own

    def _begin(self, kind: str, words: Sequence[str]) -> None:
        if kind in ("link", "chain", "bare"):
            self._kind, self._owner = kind, words[0]
            self._owing -= {words[0]} if kind != "chain" else set()
        elif kind in ("table", "brought"):
            has_begun = self.done or any(self.ledger.chains.values()) or len(self.ledger.heads) > 1
            if kind == "brought" and has_begun:
                raise Invalid("an older record can be imported only before any seat has a chain")
            self._kind, self._owner = kind, ""
        elif kind == "end":
            self._expect_outcome(words[0])

    # --- lines of the record -----------------------------------------------------------------------------------------

    def _take_line(self, text: str, words: Sequence[str]) -> None:
        if words[:1] != [str(self.done + 1)]:
            raise Invalid(f"line {self.done + 1} of the record is expected here: lines are missing or were moved")
        if self.done == len(self.recorded.entries):
            raise Invalid(f"the record has no line {self.done + 1}: it was cut off")
        entry = self.recorded.entries[self.done]
        self._expect_bound(entry, words[1:2])
        self._expect_owner(entry)
        is_back = words[2:] == [BACK]
        self._expect_place(entry, [] if is_back else words[2:])
        if is_back:
            self._expect_waiting_order(entry)
        missing = "" if is_back else self._missing_link(entry)
        self.ledger.take(text)
        self._expect_fallen(entry, words[2:])
        if missing:
            raise self._record_error(missing, entry.line)
        self._carry_out(entry)
        self._owing |= {entry.actor} if is_back else set()
        self.done += 1
        if self._kind == "brought":
            self.brought = self.done

    def _expect_bound(self, entry: RecordEntry, words: Sequence[str]) -> None:
        if self.secret is None:
            return
        game = self.ledger.game
        if list(words) != [protocol.commit_line(self.secret, game, entry.number, entry.actor, entry.text)]:
            reason = f"this is not the text that line {self.line} binds"
            raise self._record_error(reason, entry.line)

    def _expect_owner(self, entry: RecordEntry) -> None:
        """Check that a line of a side with a chain came with its link or from its instruction."""
        actor = entry.actor
        if actor == _CHANCE or self._kind == "brought" or actor not in self.ledger.sides:
            return
        is_own = self._owner == actor and self._kind in ("link", "bare")
        if not (is_own or actor in self._armed or not self.ledger.has_chain(actor)):
            raise self._record_error(
                f"{actor} gave no link for this, and had no standing instruction in force", entry.line
            )
        if is_own and self._kind == "bare":
            self.unlinked.bare[entry.number] = actor
        elif not is_own and self.ledger.has_chain(actor):
            self.unlinked.instruction_answer[entry.number] = actor
        elif not is_own and self.recorded.header.seats[actor] == _HUMAN:
            self.unlinked.bare[entry.number] = actor

    def _expect_place(self, entry: RecordEntry, words: Sequence[str]) -> None:
        place = self._place if entry.actor == _CHANCE else None
        if (place is None) == bool(words) or (words and words[0] != str(place)):
            what = f"chance answers there at place {place}" if place is not None else "chance does not answer there"
            raise Invalid(f"this does not fit line {entry.number} of the record: {what}")

    def _missing_link(self, entry: RecordEntry) -> str:
        """Return what this line lacks at the live pace, or ""."""
        if self._kind == "brought":
            return ""
        if entry.actor != _CHANCE:
            word = entry.text.split(" ")[0]
            if entry.actor in self._owing and word not in _WORDS:
                return f"{entry.actor} took an order back while a die waited, and gave no new link"
            is_waited = self.ledger.waiting is not None and word not in _WORDS
            return "no side may act while a die waits for a link" if is_waited else ""
        sides = self.ledger.awaited_sides(self._place)
        return f"this die did not wait for the link of {' and '.join(sides)}" if sides else ""

    def _expect_waiting_order(self, entry: RecordEntry) -> None:
        """While a die is pending, only the side that acted may take its own order back."""
        (word, _, kept), waiting = entry.text.partition(" "), self.ledger.waiting
        is_order = word == TAKE_BACK and self._since <= number_in(kept) < self._stand
        if waiting is None or not is_order or not entry.actor == self._owner == self._run:
            raise self._record_error(f"no die waits for an order of {entry.actor}", entry.line)
        self.taken_back[entry.number] = " and ".join(waiting.sides)

    def _expect_fallen(self, entry: RecordEntry, words: Sequence[str]) -> None:
        if entry.actor != _CHANCE:
            return
        place, cases, answers = number_in(words[0]), number_in(words[1]), answers_in(words[2:])
        if self._kind == "brought":
            self.brought_draws += 1
            if cases != 1 or answers:
                raise Invalid("an imported answer of chance must be one of 1 case")
            return
        links = self.ledger.links_at(place)
        rule = self.ledger.rules.get(place, "")
        self.fallen[entry.number] = ChanceOutcome(place, cases, links, answers, rule)
        if links == (NO_LINK, NO_LINK):
            self.early.append(entry.number)
        self._expect_shape(entry, cases, answers)
        if self.secret is None:
            return
        number = protocol.number_at(self.secret, self.ledger.game, place, links, cases)
        if entry.text.startswith(f"{DIE} "):
            fell = f"{DIE} {shown(cases, number)}"
        elif answers:
            fell = answers[number]
        else:
            self.unlisted.append(entry.number)
            return
        if fell != entry.text:
            reason = f'"{fell}" fell here, not "{entry.text}", by the secret and the links in force'
            raise self._record_error(reason, entry.line)

    def _expect_shape(self, entry: RecordEntry, cases: int, answers: Sequence[str]) -> None:
        """Check an outcome without the rules: one die has 6 cases, two have 36."""
        die = _ROLL.fullmatch(entry.text)
        if die is None and (entry.text.split(" ")[0] == DIE or not _VERB.match(entry.text)):
            raise self._record_error("this is not a valid answer of chance", entry.line)
        if die is not None and int(die[1]) not in _FACES.get(cases, ()):
            raise self._record_error(f"one die has {ONE} cases and two have {TWO}, not {cases}", entry.line)
        if answers and (die is not None or any(answer.split(" ")[0] == DIE for answer in answers)):
            raise self._record_error("dice need no list of answers", entry.line)
        if answers and entry.text not in answers:
            raise self._record_error("the proof does not list this answer", entry.line)

    def _carry_out(self, entry: RecordEntry) -> None:
        """Track the actors of counting actions by the record's own words."""
        word, _, rest = entry.text.partition(" ")
        is_written = word not in _ALONE or not rest
        if word == STANDING:
            is_written = ";" not in rest.replace(BETWEEN, "") and all(
                clause and clause.strip(" ") == clause for clause in rest.split(BETWEEN)
            )
        if not is_written:
            raise self._record_error("this is not a valid table command", entry.line)
        is_free = word == TAKE_BACK and self.recorded.header.takebacks == FREE
        is_asked = not is_free and entry.number not in self.taken_back
        if word in _CONSENTS and entry.actor != _CHANCE and self._kind != "brought" and is_asked:
            self.agreed.append(entry.number)
        if entry.actor == _CHANCE:
            self._count(_CHANCE)
            self._place += 1
        elif word == STANDING:
            (self._armed.discard if rest == OFF or rest.split(" ")[0] == STOP else self._armed.add)(entry.actor)
        elif word == UNDO:
            self._undo(entry)
        elif word == TAKE_BACK:
            self._take_back(entry, rest)
        elif word not in _WORDS:
            self._count(entry.actor)

    def _count(self, actor: str) -> None:
        if actor != self._run:
            self._run, self._since = actor, self._stand
        self._acted.setdefault(actor, []).append(len(self._log))
        self._log.append(actor)
        self._stand += 1

    def _undo(self, entry: RecordEntry) -> None:
        self._run = ""
        if not self._acted.get(entry.actor):
            raise self._record_error("there is nothing to take back", entry.line)
        self._log[self._acted[entry.actor].pop()] = ""
        self._stand -= 1

    def _take_back(self, entry: RecordEntry, rest: str) -> None:
        self._run = ""
        if not 0 <= number_in(rest) < self._stand:
            raise self._record_error("there are fewer actions than it takes back", entry.line)
        while self._stand > int(rest):
            if actor := self._log.pop():
                self._acted[actor].pop()
                self._stand -= 1
                self._place -= actor == _CHANCE

    # --- the end -----------------------------------------------------------------------------------------------------

    def _expect_outcome(self, commitment: str) -> None:
        if not self.recorded.end:
            raise self._record_error("the end of the record is missing", len(self.recorded.lines))
        if protocol.commit_end(self.recorded.end) != commitment:
            raise self._record_error("the proof binds a different end of the game", len(self.recorded.lines))
        self._has_ended = True

    def _expect_end(self) -> None:
        if self.done < len(self.recorded.entries):
            entry = self.recorded.entries[self.done]
            raise self._record_error(
                "the proof does not bind this line: it was added, or the proof was cut off", entry.line
            )
        if self.recorded.end and not self._has_ended:
            raise self._record_error("the proof does not bind this end", len(self.recorded.lines))
        if self._has_ended and self.secret is None:
            raise self._record_error("the game has ended but its secret is not opened: the file was cut off")
        if self.secret is not None and not self._has_ended:
            raise self._record_error("the secret is opened but the game has not ended: the file was cut off")
        if self.section.lines and not self.section.lines[-1].startswith("block "):
            raise self._record_error("no block binds the last lines: the file was cut off")

    def _expect_signed(self) -> None:
        line, signed = self.section.after + (self.secret is not None), self.section.signed
        if signed is None:
            raise self._record_error("the signed checkpoint at the end is missing: the file was cut off", line)
        if signed[:2] != (self.ledger.blocks, self.ledger.head):
            raise self._record_error(
                f"this is not block {self.ledger.blocks}, the last of this proof, with its head", line
            )
        if not is_signed(self.key, self.ledger.checkpoint(), signed[2]):
            raise self._record_error("this is not signed with the key that the proof names", line)

    @property
    def key(self) -> str:
        return self.section.opening[2].removeprefix("key ")

    def compare(self, receipt: Receipt) -> None:
        """Raise RecordError if a player's receipt does not match this file."""
        reason = self._difference(receipt)
        if reason:
            raise RecordError(receipt.path, reason)

    def _difference(self, receipt: Receipt) -> str:
        if receipt.game != self.ledger.game:
            return f"is a receipt of another game, {receipt.game[:40]}"
        if not is_signed(self.key, receipt.text, receipt.signature):
            return "is not a receipt of this server: its signature does not match the proof's key"
        if not 0 <= receipt.blocks <= self.ledger.blocks:
            return f"is for block {receipt.blocks}, but this file ends with block {self.ledger.blocks}: it was cut"
        if self.ledger.heads[receipt.blocks] != receipt.head:
            return f"the server showed this player another game: block {receipt.blocks} is not the one in this file"
        if receipt.side and self._owns.get((receipt.side, receipt.groups)) != receipt.own:
            return f"shows other requests of {receipt.side} than this file"
        return ""

    # --- what is said ------------------------------------------------------------------------------------------------

    def report(self, receipts: Sequence[Receipt]) -> CheckReport:
        holds, unchecked, doubts = self._holding(receipts), self._unchecked(), self._doubts(receipts)
        found = tuple(holds), tuple(unchecked), tuple(doubts), self.fallen, self.secret, self.unlinked
        return CheckReport(*found, tuple(self._without_rules()))

    def _holding(self, receipts: Sequence[Receipt]) -> Iterator[str]:
        if self.secret is not None:
            yield "The server's secret is the one committed before the game."
            yield f"Record lines that match their commitments, in order: {self.done}."
            fell = [fell for number, fell in self.fallen.items() if number not in self.unlisted]
            draws = sum(bool(fallen.answers) for fallen in fell)
            what = " and ".join(
                format_count(number, word) for number, word in ((len(fell) - draws, "roll"), (draws, "draw")) if number
            )
            if what:
                yield f"Confirmed by the secret and the players' links: {what}."
        for side, chains in self.ledger.chains.items():
            if chains:
                given = sum(chain.given for chain in chains)
                yield f"{side} gave {given} links from {format_count(len(chains), 'chain')}; all are valid."
        if live := self._by_rule(LIVE):
            yield f"{format_count(len(live), 'answer')} of chance (live) waited for each player who gives any links."
        yield f"Linked blocks: {self.ledger.blocks}; the server with key {self.key[:16]}… signed the last."
        for receipt in receipts:
            yield f"The receipt {receipt.path.name} (block {receipt.blocks}) belongs to this game."

    def _unchecked(self) -> Iterator[str]:
        if self.secret is None:
            lines, draws = format_count(self.done, "line"), format_count(len(self.fallen), "answer")
            yield f"Sealed until the game ends: {lines} and {draws} of chance."
        if self.brought:
            lines, draws = format_count(self.brought, "line"), format_count(self.brought_draws, "answer")
            yield f"Imported from an older record, without proof: {lines} with {draws} of chance."
        for whom in dict.fromkeys(self.taken_back.values()):
            own = [number for number, sides in self.taken_back.items() if sides == whom]
            orders = "1 order was" if len(own) == 1 else f"{len(own)} orders were"
            yield (
                f"{orders} taken back while a die waited for {whom} (line {format_lines(own)}): "
                "the host could have known the roll."
            )
        if alone := self._by_rule(ALONE):
            absent = " and ".join(dict.fromkeys(self.alone))
            yield (
                f"{format_count(len(alone), 'answer')} of chance came without the awaited side, {absent} "
                f"(line {format_lines(alone)}): the host could have known the roll."
            )
        if self.bare_switches:
            words = format_count(self.bare_switches, "word")
            yield f"{words} on the pace came without a link: the player may not have sent it."

    def _by_rule(self, rule: str) -> list[int]:
        return [number for number, fell in self.fallen.items() if fell.rule == rule]

    def _without_rules(self) -> Iterator[str]:
        if self.done:
            lines, draws = format_count(self.done, "line"), format_count(len(self.fallen), "answer")
            yield f"Not compared with the rules: {lines}, and the reasons for {draws} of chance."
        if self.unlisted:
            answers = format_count(len(self.unlisted), "answer")
            yield f"{answers} of chance cannot be checked (line {format_lines(self.unlisted)})."
        yield from without_link(self.unlinked.bare, "by a program or because only one answer was possible")

    def _predictable_dice(self) -> Iterator[str]:
        """Yield what a host may have known of the dice, or chosen."""
        if self.early:
            early = format_count(len(self.early), "answer")
            yield f"{early} of chance came from the secret alone, before any seat had a chain."
        for at, side in enumerate(self.ledger.sides):
            alone = [number for number, fell in self.fallen.items() if fell.links[at] == NO_LINK]
            if self.ledger.has_chain(side) and len(alone) > len(self.early):
                yield f"{format_count(len(alone), 'answer')} of chance came before {side} had a chain."
        for line, side in self.strayed.items():
            yield (
                f"After line {line}, while a die waited, {side} changed to another chain: if that side was the host, "
                "it could choose that roll."
            )
        if at_once := self._by_rule(CORRESPONDENCE):
            yield (
                f"{format_count(len(at_once), 'answer')} of chance (correspondence, from line {at_once[0]}) did not "
                "wait: a host who sat on a seat could foresee them, and choose among them."
            )

    def _doubts(self, receipts: Sequence[Receipt]) -> Iterator[str]:
        for side, chains in self.ledger.chains.items():
            if not chains:
                yield f"{side} has no chain (a machine or program): it did not help to seed the dice."
            for number, chain in enumerate(chains[1:], 2):
                yield f"{side} began chain {number} ({chain.why}): if that player did not do so, the chain is forged."
        if self.agreed:
            yield (
                f"A side granted a takeback or agreed to something {format_count(len(self.agreed), 'time')} "
                f"(line {format_lines(self.agreed)}): this file does not show that the other side had asked."
            )
        yield from self._predictable_dice()
        if not receipts:
            yield (
                "No receipt was compared: anyone could have written this file, and the host could have rewritten it. "
                "Compare the receipts of both players."
            )


def without_link(lines: Mapping[int, str], why: str) -> Iterator[str]:
    """Yield a sentence per side about its lines without a link."""
    for side in dict.fromkeys(lines.values()):
        own = [line for line, other in lines.items() if other == side]
        yield (
            f"{side} acted {format_count(len(own), 'time')} without a link (line {format_lines(own)}), {why}; "
            f"nothing proves that it was {side}."
        )


def format_lines(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:_TOLD])) + (", …" if len(lines) > _TOLD else "")
