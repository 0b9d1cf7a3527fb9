"""Verification of a record's proof: what holds, the first line that does not, and what cannot be checked or proved.

A file has the record first, then the section that begins with "leuthen proof". The rules are not consulted here:
`play.proof.rules` checks whether lines are legal. Only canonical text is accepted, so that all
readers agree on its meaning.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple, Self

from leuthen.engine.refusal import Invalid, require
from leuthen.engine.ruleset import SIDES
from leuthen.play import record
from leuthen.play.proof import ledger, protocol
from leuthen.play.proof.ledger import Ledger, answers_in, number_in
from leuthen.play.proof.protocol import NO_LINK, is_signed, is_word
from leuthen.play.record import TITLE as RECORD
from leuthen.play.record import Record, RecordEntry, RecordError, expect
from leuthen.play.table import BETWEEN, OFF, STOP
from leuthen.wargame.names import format_count

MOST_BYTES: Final = 16_000_000  # maximum size of a checked file; the longest wars take a tenth
MOST_LINE: Final = 20_000
_KIND: Final = "leuthen proof "
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_SIGNATURE: Final = re.compile("[0-9a-f]{128}")
_RECEIPT: Final = re.compile(
    r"(leuthen checkpoint 1\ngame ([^\n]+)\nblocks ([0-9]+) ([0-9a-f]{64})\n"
    r"(?:seat ([^ \n]+) ([0-9]+) ([0-9a-f]{64})\n)?)signed ([0-9a-f]{128})\n"
)
NO_PROOF: Final = (
    "has no proof behind it: a game at one screen, at a terminal or from before there were proofs cannot be checked; "
    "leuthen replay --verify says whether the rules were kept"
)


class UncheckableFile(RecordError):
    """A file that cannot be checked; that is no evidence against a game."""


class Section(NamedTuple):
    """A proof as a file has it. Line numbers are those of the whole file, from 1."""

    first: int
    opening: tuple[str, ...]
    lines: tuple[str, ...]  # the lines for the ledger
    secret: str  # the game's disclosed secret, or ""
    signed: tuple[int, str, str] | None
    """Number (-1 if it is malformed) and head of the last block, and the signature; None if there is none."""

    @property
    def body(self) -> int:
        return self.first + ledger.OPENING

    @property
    def after(self) -> int:
        return self.body + len(self.lines)


def read_file(path: Path) -> bytes:
    """Return the bytes of a file to check. Raise RecordError if it cannot be read or is too large."""
    try:
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
        most = f"is too large to be checked: no game takes more than {MOST_BYTES // 1_000_000} MB"
        expect(len(found) <= MOST_BYTES, path, most)
        return found
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from error


def expect_checkable(path: Path, data: bytes) -> None:
    """Raise NotChecked unless this is an unconverted record with a proof, in the supported versions."""
    want = partial(expect, path=path, error=UncheckableFile)
    marked = "begins with a byte order mark: an editor has saved it; fetch it from its server again"
    want(not data.startswith(_BYTE_ORDER_MARK), reason=marked)
    at = data.find(f"\n{_KIND}".encode()) + 1
    title, opening = (part.partition(b"\n")[0].decode(errors="replace") for part in (data, data[at:]))
    converted = "has line ends of Windows: a program has converted it; fetch it from its server again"
    want(not (title.endswith("\r") or opening.endswith("\r")), reason=converted)
    title = title.partition("  #")[0]
    want(
        title.startswith(f"{RECORD} "),
        reason=f'is no record of Leuthen, which begins with "{RECORD}"',
        line=1,
    )
    found = title.removeprefix(RECORD).strip()[:40]
    other = f'is a record of format "{found}"; this program reads format {record.FORMAT}'
    want(title == f"{RECORD} {record.FORMAT}", reason=other, line=1)
    want(at, reason=NO_PROOF)
    other = f'is a proof of version "{opening.removeprefix(_KIND)[:40]}"; this program reads versions 1 and 2'
    want(opening in ledger.PACES, reason=other, line=data.count(b"\n", 0, at) + 1)


def read_section(path: Path, proof: bytes, first: int) -> Section:
    """Parse a proof whose first line is number `first` of the file. Raise RecordError."""
    try:
        *lines, torn = proof.decode().split("\n")
    except UnicodeDecodeError as error:
        raise RecordError(path, "is no text", first + proof.count(b"\n", 0, error.start)) from None
    expect(not torn, path, "the last line has no end: the file was cut off", first + len(lines))
    for number, line in enumerate(lines, first):
        expect(len(line) <= MOST_LINE, path, "no line of a proof is so long", number)
    expect(lines and lines[0] in ledger.PACES, path, f'a proof begins with "{_KIND}" and its version', first)
    for number, word in enumerate(("commit", "key", ""), 1):
        line = lines[number] if number < len(lines) else ""
        kind, _, said = line.partition(" ")
        is_right = kind == word and is_word(said) if word else line in ledger.PACES[lines[0]]
        expect(is_right, path, "a proof begins with its commit, its key, and its pace", first + number)
    rest = lines[ledger.OPENING :]
    end = next((at for at, line in enumerate(rest) if line.startswith(("open ", "signed "))), len(rest))
    tail = dict(line.split(" ", 1) for line in rest[end:] if " " in line)
    is_tail = [line.split(" ")[0] for line in rest[end:]] == [word for word in ("open", "signed") if word in tail]
    last = first + ledger.OPENING + end
    expect(is_tail, path, "a proof ends with the secret, if it is opened, and one signature", last)
    is_secret = "open" not in tail or is_word(tail["open"])
    expect(is_secret, path, "this is no secret: it has 64 hexadecimal digits", last)
    signed = None
    if "signed" in tail:
        words = tail["signed"].split(" ")
        is_right = len(words) == 3 and _SIGNATURE.fullmatch(words[2]) is not None
        signed = (number_in(words[0]), words[1], words[2]) if is_right else (-1, "", "")
    return Section(first, tuple(lines[: ledger.OPENING]), tuple(rest[:end]), tail.get("open", ""), signed)


class Receipt(NamedTuple):
    """A signed checkpoint that a player stored. `side` is "" if it is for all."""

    path: Path
    text: str
    signature: str
    game: str
    blocks: int
    head: str
    side: str
    groups: int
    own: str


def parse_receipt(path: Path, text: str) -> Receipt:
    """Parse a receipt. Raise NotChecked."""
    found = _RECEIPT.fullmatch(text)
    if found is None:
        raise UncheckableFile(
            path, 'is not a receipt: "leuthen checkpoint 1", the game, blocks, perhaps a seat, signed'
        )
    signed, game, blocks, head, side, groups, own, signature = found.groups(default="")
    return Receipt(path, signed, signature, game, number_in(blocks), head, side, number_in(groups or "0"), own)


_CHANCE: Final = "chance"
# Table commands that move no place and are allowed while a die is pending.
_WORDS: Final = (record.RESIGN, record.AGREE, record.STANDING)
MOST_LINES: Final = 100_000  # maximum number of record lines; the longest wars have a twentieth
_CONSENTS: Final = (record.AGREE, record.TAKE_BACK)  # commands that answer a request of the other side
_ALONE: Final = (record.RESIGN, record.AGREE, record.UNDO)  # commands without arguments
_HUMAN: Final = "human"
_ROLL: Final = re.compile(f"{ledger.DIE} ([1-9][0-9]?)")
_VERB: Final = re.compile("[a-z]+(-[a-z]+)*( |$)")
_FACES: Final = {ledger.ONE: range(1, 7), ledger.TWO: range(2, 13)}
"""By number of cases of one or two dice: the results that the record may show."""
_TOLD: Final = 8  # maximum number of lines listed in a sentence


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


class CheckReport(NamedTuple):
    """The result of a check in which nothing was wrong."""

    holds: tuple[str, ...]
    unchecked: tuple[str, ...]
    """Facts that could not be checked, with counts and reasons; if there are any, the game is not whole."""
    open: tuple[str, ...]  # facts that no check of this file can prove
    fallen: Mapping[int, ChanceOutcome]  # by record line (from 1): the outcomes of chance since the proof began
    secret: bytes | None  # the game's secret, once disclosed
    bare: Mapping[int, str]  # record lines that came without a link, with their side: from a program, or forced
    instructed: Mapping[int, str]  # the same from a standing instruction of a side that has a chain
    without_rules: tuple[str, ...] = ()  # facts that remain unchecked until the rules are consulted

    @property
    def is_whole(self) -> bool:
        """True if everything was checked, including the rules."""
        return not self.all_unchecked

    @property
    def all_unchecked(self) -> tuple[str, ...]:
        """All unchecked facts, including those that need the rules."""
        return (*self.unchecked, *self.without_rules)

    def with_rules_checked(self, said: str, chosen: Mapping[int, str]) -> Self:
        """Return the report with the rules' result and the lines without a link that had a choice."""
        forced = len(self.bare) - len(chosen)
        so = "came without a link; the rules left no choice"
        holds = (*self.holds, said, *([f"{format_count(forced, 'answer')} {so}."] if forced else []))
        without = tuple(without_link(chosen, "although there was a choice: by a program, or not by that side"))
        return self._replace(holds=holds, unchecked=(*self.unchecked, *without), bare={}, without_rules=())

    def with_rules_unchecked(self, why: str) -> Self:
        """Return the report where the rules could not be consulted completely."""
        return self._replace(unchecked=(*self.unchecked, why))


def check(recorded: Record, receipts: Sequence[Receipt] = ()) -> CheckReport:
    """Check a record with its proof, and the receipts of players. Raise RecordError for the first bad line."""
    expect(recorded.proof, recorded.path, NO_PROOF, error=UncheckableFile)
    expect_canonical(recorded)
    section = read_section(recorded.path, recorded.proof, len(recorded.lines) + 1)
    checker = _Checker(recorded, section)
    checker.run()
    for receipt in receipts:
        checker.compare(receipt)
    return checker.report(receipts)


def expect_canonical(recorded: Record) -> None:
    """Raise RecordError for the first line that is not in canonical form, so that each line has one reading."""
    path, header = recorded.path, recorded.header
    expect(len(recorded.lines) <= MOST_LINES, path, "a record cannot be this long", MOST_LINES + 1)
    entries = [f"{entry.number:>5} {entry.actor} {entry.text}" for entry in recorded.entries]
    lines = [*header.lines(), *entries, *([f"end {recorded.end}"] if recorded.end else [])]
    for number, (line, ours) in enumerate(zip_longest(recorded.lines, lines, fillvalue=""), 1):
        is_canonical = line == ours and protocol.is_plain(line.lstrip(" "))
        expect(is_canonical, path, "this line is not in canonical form: spaces, characters or order", number)
    words = (header.ruleset, header.version, header.scenario, header.data, header.game, *header.options, *header.seats)
    is_right = all(words) and not any(" " in word for word in words)
    expect(is_right, path, "the header of a proved game must give each fact in one word", 1)
    is_right = len(header.seats) == len(SIDES) and _CHANCE not in header.seats and "," not in "".join(header.seats)
    expect(is_right, path, "the record does not name two seats", 1)
    for entry in recorded.entries:
        is_actor = entry.actor in (*header.seats, _CHANCE)
        expect(is_actor, path, f'"{entry.actor[:20]}" does not play', entry.line)


class _Checker:
    """A ledger that reads the record's lines along with its own."""

    def __init__(self, recorded: Record, section: Section) -> None:
        self.recorded = recorded
        self.section = section
        header = recorded.lines[: len(recorded.lines) - len(recorded.entries) - bool(recorded.end)]
        first, second = recorded.header.seats
        self.ledger = Ledger(header, recorded.header.game, (first, second), section.opening)
        self.key = section.opening[2].removeprefix("key ")
        self.secret = bytes.fromhex(section.secret) if section.secret else None
        self.done = 0  # number of bound record lines
        self.line = section.body  # the current line of the file
        self.fallen: dict[int, ChanceOutcome] = {}
        self.bare: dict[int, str] = {}
        self.instructed: dict[int, str] = {}
        self.brought = 0
        self.brought_draws = 0
        self.unlisted: list[int] = []  # lines of draws whose outcome cannot be derived without the rules
        self.early: list[int] = []  # record lines of the dice rolled before any seat had a chain
        self._kind, self._owner = "", ""
        self._log: list[str] = []  # actors of the actions that count; "" for an undone one
        self._acted: dict[str, list[int]] = {}  # by actor: indexes of its counting actions in the log
        self._stand = 0  # number of actions that count
        self._place = 0  # number of chance outcomes among them
        self._armed: set[str] = set()
        self._in_force: dict[str, str] = {}  # by side: number of the chain that it used last
        self._due: dict[str, str] = {}  # the same at the time when the die became pending
        self.agreed: list[int] = []  # lines that accept or grant a request of the other side, which no line proves
        self.strayed: dict[int, str] = {}
        """By the preceding record line: the side that gave an awaited link from another chain."""
        self.taken_back: dict[int, str] = {}
        """Lines that took back an order while its die was pending, with the awaited sides."""
        self._run, self._since = "", 0
        """The actor of the newest counting actions, if no takeback came between, and the number of actions before
        them."""
        self._owing: set[str] = set()  # sides that have taken back such an order without a new request since
        self.alone: list[str] = []  # the sides that were awaited when the other side rolled alone
        self.bare_switches = 0  # number of words on the pace without a link of their side
        self._owns = {(side, 0): self.ledger.own(side)[1] for side in self.ledger.sides}
        self._has_ended = False

    def run(self) -> None:
        """Raise RecordError for the first line that does not hold."""
        commitment = self.section.opening[1].removeprefix("commit ")
        self._expect(
            self.secret is None or protocol.seal_secret(self.secret, self.ledger.game) == commitment,
            "the opened secret is not the one committed before the game",
            self.section.after,
        )
        for number, text in enumerate(self.section.lines, self.section.body):
            self.line = number
            try:
                self._take(text)
            except RecordError:
                raise
            except Invalid as error:
                raise RecordError(self.recorded.path, str(error), number) from None
        self._note_own()
        self.line = self.section.after
        self._expect_end()

    def _expect(self, holds: object, reason: str, line: int = 0) -> None:
        expect(holds, self.recorded.path, reason, line or self.line)

    def _take(self, text: str) -> None:
        kind, *words = text.split(" ")
        if kind == "line":
            self._take_line(text, words)
            return
        self._note_own()
        require(not self._has_ended or kind == "block", "only the block that binds the end of the game may follow it")
        self._expect_waits(kind, words)
        awaited = self.ledger.waiting.sides if self.ledger.waiting is not None else ()
        self.ledger.take(text)
        self.alone += awaited if kind == ledger.ALONE else ()
        self.bare_switches += kind in ("pace", ledger.ALONE) and self._kind == "bare"
        self._begin(kind, words)

    def _expect_waits(self, kind: str, words: Sequence[str]) -> None:
        """Check that chance waits at the next place, and only for the sides that the table's rule requires."""
        waiting = self.ledger.waiting
        if kind == "block" and len(words) == 5:
            needed = ",".join(self.ledger.awaited_sides(self._place))
            only = f"chance can wait only at place {self._place}, for the link of {needed or 'no side'}"
            require(words[3:] == [str(self._place), needed], only)
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
            reason = "an older record can be imported only before any seat has a chain"
            require(kind == "table" or not has_begun, reason)
            self._kind, self._owner = kind, ""
        elif kind == "end":
            last, end = len(self.recorded.lines), self.recorded.end
            self._expect(end, "the end of the record is missing", last)
            self._expect(protocol.commit_end(end) == words[0], "the proof binds a different end of the game", last)
            self._has_ended = True

    # --- lines of the record -----------------------------------------------------------------------------------------

    def _take_line(self, text: str, words: Sequence[str]) -> None:
        next_line = self.done + 1
        moved = f"line {next_line} of the record is expected here: lines are missing or were moved"
        require(words[:1] == [str(next_line)], moved)
        require(self.done < len(self.recorded.entries), f"the record has no line {next_line}: it was cut off")
        entry = self.recorded.entries[self.done]
        if self.secret is not None:
            bound = protocol.commit_line(self.secret, self.ledger.game, entry.number, entry.actor, entry.text)
            self._expect(words[1:2] == [bound], f"this is not the text that line {self.line} binds", entry.line)
        self._expect_owner(entry)
        is_back = words[2:] == [ledger.BACK]
        place = [str(self._place)] if entry.actor == _CHANCE else []
        if ([] if is_back else words[2:3]) != place:
            what = f"chance answers there at place {self._place}" if place else "chance does not answer there"
            raise Invalid(f"this does not fit line {entry.number} of the record: {what}")
        if is_back:
            self._expect_waiting_order(entry)
        missing = "" if is_back else self._missing_link(entry)
        self.ledger.take(text)
        self._expect_fallen(entry, words[2:])
        self._expect(not missing, missing, entry.line)
        self._carry_out(entry)
        self._owing |= {entry.actor} if is_back else set()
        self.done += 1
        if self._kind == "brought":
            self.brought = self.done

    def _expect_owner(self, entry: RecordEntry) -> None:
        """Check that a line of a side with a chain came with its link or from its instruction."""
        actor = entry.actor
        if actor == _CHANCE or self._kind == "brought" or actor not in self.ledger.sides:
            return
        is_own = self._owner == actor and self._kind in ("link", "bare")
        reason = f"{actor} gave no link for this, and had no standing instruction in force"
        self._expect(is_own or actor in self._armed or not self.ledger.has_chain(actor), reason, entry.line)
        if is_own and self._kind == "bare":
            self.bare[entry.number] = actor
        elif not is_own and self.ledger.has_chain(actor):
            self.instructed[entry.number] = actor
        elif not is_own and self.recorded.header.seats[actor] == _HUMAN:
            self.bare[entry.number] = actor

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
        is_order = word == record.TAKE_BACK and self._since <= number_in(kept) < self._stand
        is_own = waiting is not None and is_order and entry.actor == self._owner == self._run
        self._expect(is_own, f"no die waits for an order of {entry.actor}", entry.line)
        self.taken_back[entry.number] = " and ".join(waiting.sides if waiting else ())

    def _expect_fallen(self, entry: RecordEntry, words: Sequence[str]) -> None:
        if entry.actor != _CHANCE:
            return
        place, cases, answers = number_in(words[0]), number_in(words[1]), answers_in(words[2:])
        if self._kind == "brought":
            self.brought_draws += 1
            require(cases == 1 and not answers, "an imported answer of chance must be one of 1 case")
            return
        links = self.ledger.links_at(place)
        self.fallen[entry.number] = ChanceOutcome(place, cases, links, answers, self.ledger.rules.get(place, ""))
        if links == (NO_LINK, NO_LINK):
            self.early.append(entry.number)
        self._expect_shape(entry, cases, answers)
        if self.secret is None:
            return
        number = protocol.number_at(self.secret, self.ledger.game, place, links, cases)
        if entry.text.startswith(f"{ledger.DIE} "):
            fell = f"{ledger.DIE} {ledger.shown(cases, number)}"
        elif answers:
            fell = answers[number]
        else:
            self.unlisted.append(entry.number)
            return
        reason = f'"{fell}" fell here, not "{entry.text}", by the secret and the links in force'
        self._expect(fell == entry.text, reason, entry.line)

    def _expect_shape(self, entry: RecordEntry, cases: int, answers: Sequence[str]) -> None:
        """Check an outcome without the rules: one die has 6 cases, two have 36."""
        die, line = _ROLL.fullmatch(entry.text), entry.line
        is_draw = entry.text.split(" ")[0] != ledger.DIE and _VERB.match(entry.text)
        self._expect(die is not None or is_draw, "this is not a valid answer of chance", line)
        is_face = die is None or int(die[1]) in _FACES.get(cases, ())
        self._expect(is_face, f"one die has {ledger.ONE} cases and two have {ledger.TWO}, not {cases}", line)
        is_list = die is None and all(answer.split(" ")[0] != ledger.DIE for answer in answers)
        self._expect(not answers or is_list, "dice need no list of answers", line)
        self._expect(not answers or entry.text in answers, "the proof does not list this answer", line)

    def _carry_out(self, entry: RecordEntry) -> None:
        """Track the actors of counting actions by the record's own words."""
        word, _, rest = entry.text.partition(" ")
        is_written = word not in _ALONE or not rest
        if word == record.STANDING:
            clauses = rest.split(BETWEEN)
            is_written = ";" not in "".join(clauses) and all(
                clause and clause.strip(" ") == clause for clause in clauses
            )
        self._expect(is_written, "this is not a valid table command", entry.line)
        is_free = word == record.TAKE_BACK and self.recorded.header.takebacks == record.FREE
        is_asked = not is_free and entry.number not in self.taken_back
        if word in _CONSENTS and entry.actor != _CHANCE and self._kind != "brought" and is_asked:
            self.agreed.append(entry.number)
        if entry.actor == _CHANCE:
            self._count(_CHANCE)
            self._place += 1
        elif word == record.STANDING:
            (self._armed.discard if rest == OFF or rest.split(" ")[0] == STOP else self._armed.add)(entry.actor)
        elif word == record.UNDO:
            self._run = ""
            self._expect(self._acted.get(entry.actor), "there is nothing to take back", entry.line)
            self._log[self._acted[entry.actor].pop()] = ""
            self._stand -= 1
        elif word == record.TAKE_BACK:
            self._take_back(entry, rest)
        elif word not in _WORDS:
            self._count(entry.actor)

    def _count(self, actor: str) -> None:
        if actor != self._run:
            self._run, self._since = actor, self._stand
        self._acted.setdefault(actor, []).append(len(self._log))
        self._log.append(actor)
        self._stand += 1

    def _take_back(self, entry: RecordEntry, rest: str) -> None:
        self._run = ""
        self._expect(0 <= number_in(rest) < self._stand, "there are fewer actions than it takes back", entry.line)
        while self._stand > int(rest):
            if actor := self._log.pop():
                self._acted[actor].pop()
                self._stand -= 1
                self._place -= actor == _CHANCE

    # --- the end -----------------------------------------------------------------------------------------------------

    def _expect_end(self) -> None:
        entries, last, is_open = self.recorded.entries[self.done :], len(self.recorded.lines), self.secret is not None
        added = "the proof does not bind this line: it was added, or the proof was cut off"
        self._expect(not entries, added, entries[0].line if entries else 0)
        self._expect(self._has_ended or not self.recorded.end, "the proof does not bind this end", last)
        sealed = "the game has ended but its secret is not opened: the file was cut off"
        self._expect(is_open or not self._has_ended, sealed)
        going_on = "the secret is opened but the game has not ended: the file was cut off"
        self._expect(self._has_ended or not is_open, going_on)
        is_closed = not self.section.lines or self.section.lines[-1].startswith("block ")
        self._expect(is_closed, "no block binds the last lines: the file was cut off")
        line, signed = self.section.after + is_open, self.section.signed or (-1, "", "")
        unsigned = "the signed checkpoint at the end is missing: the file was cut off"
        self._expect(self.section.signed is not None, unsigned, line)
        other = f"this is not block {self.ledger.blocks}, the last of this proof, with its head"
        self._expect(signed[:2] == (self.ledger.blocks, self.ledger.head), other, line)
        is_right = is_signed(self.key, self.ledger.checkpoint(), signed[2])
        self._expect(is_right, "this is not signed with the key that the proof names", line)

    def compare(self, receipt: Receipt) -> None:
        """Raise RecordError if a player's receipt does not match this file."""
        path, block, last = receipt.path, receipt.blocks, self.ledger.blocks
        expect(receipt.game == self.ledger.game, path, f"is a receipt of another game, {receipt.game[:40]}")
        forged = "is not a receipt of this server: its signature does not match the proof's key"
        expect(is_signed(self.key, receipt.text, receipt.signature), path, forged)
        expect(0 <= block <= last, path, f"is for block {block}, but this file ends with block {last}: it was cut")
        other = f"the server showed this player another game: block {block} is not the one in this file"
        expect(self.ledger.heads[block] == receipt.head, path, other)
        is_own = not receipt.side or self._owns.get((receipt.side, receipt.groups)) == receipt.own
        expect(is_own, path, f"shows other requests of {receipt.side} than this file")

    # --- what is said ------------------------------------------------------------------------------------------------

    def report(self, receipts: Sequence[Receipt]) -> CheckReport:
        return CheckReport(
            tuple(self._holding(receipts)),
            tuple(self._unchecked()),
            tuple(self._doubts(receipts)),
            self.fallen,
            self.secret,
            self.bare,
            self.instructed,
            tuple(self._without_rules()),
        )

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
        if live := self._by_rule(ledger.LIVE):
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
        if alone := self._by_rule(ledger.ALONE):
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
        yield from without_link(self.bare, "by a program or because only one answer was possible")

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
        # what a host may have known of the dice, or chosen
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
        if at_once := self._by_rule(ledger.CORRESPONDENCE):
            yield (
                f"{format_count(len(at_once), 'answer')} of chance (correspondence, from line {at_once[0]}) did not "
                "wait: a host who sat on a seat could foresee them, and choose among them."
            )
        if not receipts:
            yield (
                "No receipt was compared: anyone could have written this file, and the host could have rewritten it. "
                "Compare the receipts of both players."
            )


def without_link(lines: Mapping[int, str], why: str) -> Iterator[str]:
    for side in dict.fromkeys(lines.values()):
        own = [line for line, other in lines.items() if other == side]
        yield (
            f"{side} acted {format_count(len(own), 'time')} without a link (line {format_lines(own)}), {why}; "
            f"nothing proves that it was {side}."
        )


def format_lines(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:_TOLD])) + (", …" if len(lines) > _TOLD else "")
