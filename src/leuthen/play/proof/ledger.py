"""The proof of a game as it grows: a ledger that accepts line after line and refuses inconsistent ones; and its dice.

A server appends through the verbs (`give_link`, `add_line`, `close` …), which all use `take`, as readers do. So no
server can write what readers would refuse.
"""

from collections.abc import Callable, Sequence
from copy import copy
from itertools import zip_longest
from typing import Final, NamedTuple, Self

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid, require
from leuthen.engine.ruleset import CHANCE, Ruleset
from leuthen.play.dice import Dice, Odds
from leuthen.play.proof import protocol
from leuthen.play.proof.protocol import BETWEEN, LONGEST_CHAIN, NO_LINK, Signer, is_plain, is_word

TITLE: Final = "leuthen proof 1"  # title of a proof whose pace cannot change
SWITCHABLE: Final = "leuthen proof 2"  # title of a proof whose pace the sides may switch
WHY_CHAIN: Final = ("first", "device", "lost", "used-up")
WHY_BARE: Final = ("program", "lost")
LIVE: Final = "live"  # the pace at which a die waits for new links of both seats, if they give any
CORRESPONDENCE: Final = "correspondence"  # the pace at which no die waits
ALONE: Final = "alone"  # the rule of a die that one side rolled without the awaited side
PACES: Final = {
    TITLE: {"strict no": CORRESPONDENCE, "strict both": LIVE},
    SWITCHABLE: {"pace correspondence": CORRESPONDENCE, "pace live": LIVE},
}
"""By title: the pace that the last opening line states."""
NO: Final = "no"  # declines or withdraws a switch of pace
BACK: Final = "back"  # marks a line that takes back an order whose die is pending
_CHAIN_DIGITS: Final = 3  # maximum number of digits of a chain number
OPENING: Final = 4  # number of lines that begin a proof
DIE: Final = "roll"  # the record's word for a die, or for the sum of two
ONE: Final = 6  # cases of one die
TWO: Final = 36  # cases of two dice


class DeviceLink(NamedTuple):
    """A link as a device sends it: chain and number (both from 1), the link, and the last block seen."""

    chain: int
    number: int
    link: str
    seen: int
    head: str


class PendingDie(NamedTuple):
    """A pending die: its place, the sides whose links are awaited since a block, and the links received."""

    place: int
    sides: tuple[str, ...]
    block: int
    given: tuple[tuple[str, str], ...] = ()


class Links(NamedTuple):
    """The public part of a chain: length, number of used links, the last of them, and why the chain was made."""

    length: int
    given: int
    last: str
    why: str


class Ledger:
    """Heads, chains, links in force and places after the lines so far.

    `added` has the lines since it was copied or restored.
    """

    def __init__(self, header: Sequence[str], game: str, sides: tuple[str, str], opening: Sequence[str]) -> None:
        """`header` are the first lines of the record without checksums, `opening` those of the proof
        (`opening_lines`)."""
        self.game = game
        self.sides = sides
        self.can_switch = opening[0] == SWITCHABLE
        self.pace = PACES.get(opening[0], {}).get(opening[-1], "")
        self.switches = 0  # number of agreed changes of pace
        self.asking = ""  # the side that asks for the other pace, or ""
        require(self.pace, "its proof does not begin with a version and a pace")
        self.added: list[str] = []
        self.heads = [protocol.genesis(header, opening)]  # by block number
        self.body = ""  # of the newest block
        self.chains: dict[str, tuple[Links, ...]] = dict.fromkeys(sides, ())
        self.places: dict[int, tuple[str, str]] = {}  # the fixed links by place
        self.rules: dict[int, str] = {}  # by place: the pace when its die was asked for, or `alone`
        self.waiting: PendingDie | None = None
        self._in_force = dict.fromkeys(sides, NO_LINK)
        self._own = {side: (0, protocol.first_own(side)) for side in sides}
        self._open: list[str] = []  # lines since the last block
        self._group: list[str] = []
        self._owner = ""  # the side whose request caused the group, or ""
        self._is_awaited = False  # whether the group began with an awaited link

    def copy(self) -> Self:
        twin = copy(self)
        twin.added, twin.heads, twin._open, twin._group = [], self.heads.copy(), self._open.copy(), self._group.copy()
        twin.chains, twin.places, twin._own = self.chains.copy(), self.places.copy(), self._own.copy()
        twin.rules = self.rules.copy()
        twin._in_force = self._in_force.copy()
        return twin

    # --- what is known -----------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> int:
        return len(self.heads) - 1

    @property
    def head(self) -> str:
        return self.heads[-1]

    def has_chain(self, side: str) -> bool:
        return bool(self.chains[side])

    def links_at(self, place: int) -> tuple[str, str]:
        """Return the links for a place: the fixed ones, or those in force now."""
        return self.places.get(place) or self._current_links()

    def _current_links(self) -> tuple[str, str]:
        first, second = self.sides
        return self._in_force[first], self._in_force[second]

    def own(self, side: str) -> tuple[int, str]:
        """Return the number of groups that a seat's requests have caused, and its own head."""
        number, own = self._own[side]
        if self._owner != side:
            return number, own
        return number + 1, protocol.next_own(side, number + 1, own, self._group)

    def checkpoint(self, side: str = "") -> str:
        return protocol.checkpoint(self.game, self.blocks, self.head, (side, *self.own(side)) if side else None)

    def awaited_sides(self, place: int) -> tuple[str, ...]:
        """Return the sides whose links a die needs at a place."""
        is_asked = self.pace == LIVE or self.waiting is not None
        if not is_asked or place in self.places or self._is_awaited:
            return ()
        return tuple(side for side in self.sides if self.has_chain(side))

    # --- verbs -------------------------------------------------------------------------------------------------------

    def give_chain(self, side: str, top: str, length: int, why: str) -> int:
        """Add a seat's chain; return its number. Raise Invalid."""
        number = len(self.chains.get(side, ())) + 1
        self.take(f"chain {side} {number} {length} {top} {why}")
        return number

    def give_link(self, side: str, given: DeviceLink) -> None:
        """Begin a seat's request with a link. Raise Invalid if it does not fit."""
        self.take(f"link {side} {given.chain} {given.number} {given.link} {given.seen} {given.head}")

    def add_line(
        self, number: int, commitment: str, place: int | None = None, cases: int = 0, answers: Sequence[str] = ()
    ) -> None:
        """Add a line of the record; for chance with its place, number of cases, and the answers of a draw."""
        fell = "" if place is None else " ".join([f" {place} {cases}", *([BETWEEN.join(answers)] if answers else [])])
        self.take(f"line {number} {commitment}{fell}")

    def add_taken_back(self, number: int, commitment: str) -> None:
        """Add a record line that takes back an order whose die is pending."""
        self.take(f"line {number} {commitment} {BACK}")

    def switch(self, side: str, said: str) -> None:
        """Let a side ask for a pace or agree to it, or say `no`. Raise Invalid."""
        self.take(f"pace {self.switches + 1} {side} {said}")

    def roll_alone(self, side: str) -> None:
        """Let a side roll the pending die without the awaited side. Raise Invalid."""
        self.take(f"alone {side} {self.waiting.place if self.waiting else 0}")

    def end(self, words: str) -> None:
        self.take(f"end {protocol.commit_end(words)}")

    def close(self, place: int = -1, sides: Sequence[str] = ()) -> None:
        """Close a block; `place` and `sides` describe a pending die."""
        said = f"{place} {','.join(sides)}" if sides else ""
        head = protocol.next_head(self.blocks + 1, self.head, protocol.body_of(self._open), said)
        self.take(f"block {self.blocks + 1} {head}" + (f" waits {said}" if said else ""))

    # --- one line after another --------------------------------------------------------------------------------------

    def take(self, line: str) -> None:
        """Accept the next line. Raise Invalid, which names the mistake; nothing has changed then."""
        kind, *words = line.split(" ")
        takers = {"chain": self._take_chain, "link": self._take_link, "bare": self._take_bare, "line": self._take_line}
        if self.can_switch:
            takers |= {"pace": self._take_pace, "alone": self._take_alone}
        if kind == "block":
            self._take_block(words)
        elif kind in takers:
            takers[kind](words)
            self._keep(line, words[0] if kind in ("chain", "link", "bare") else None)
        elif line in ("table", "brought"):
            self._is_awaited = False
            self._keep(line, "")
        elif kind == "end" and len(words) == 1 and is_word(words[0]):
            self._keep(line, None)
        else:
            raise Invalid(f'"{line[:60]}" is not a line of a proof')
        self.added.append(line)

    def _keep(self, line: str, owner: str | None) -> None:
        """Add a line; `owner` is None unless it begins a group."""
        if owner is not None:
            self._end_group()
            self._owner = owner
        self._open.append(line)
        self._group.append(line)

    def _end_group(self) -> None:
        if self._owner:
            self._own[self._owner] = self.own(self._owner)
        self._owner, self._group = "", []

    def _take_chain(self, words: Sequence[str]) -> None:
        side, number, length, top, why = self._words(words, 5)
        self._expect_side(side)
        is_next = number_in(number, _CHAIN_DIGITS) == len(self.chains[side]) + 1
        require(is_next, f"chain {number[:9]} of {side} is not its next")
        require(
            1 <= number_in(length) <= LONGEST_CHAIN and is_word(top) and why in WHY_CHAIN,
            f"this is no chain: 1 to {LONGEST_CHAIN} links, a top of 64 digits, and {', '.join(WHY_CHAIN)}",
        )
        self.chains[side] = (*self.chains[side], Links(number_in(length), 0, top, why))
        self._in_force[side] = top
        self._is_awaited = False

    def _take_link(self, words: Sequence[str]) -> None:
        side, *numbers, link, seen, head = self._words(words, 6)
        self._expect_side(side)
        (chain, number), block = map(number_in, numbers), number_in(seen)
        waiting = self.waiting if self.waiting is not None and side in self.waiting.sides else None
        require(0 <= block <= self.blocks, f"{side} has seen block {block}, and there are only {self.blocks}")
        other = f"{side} was shown another game: the head of its block {block} is not that of this one"
        require(self.heads[block] == head, other)
        early = f"a die waits for the link of {side}, and this one was given before the wait was announced"
        require(waiting is None or block >= waiting.block, early)
        chains, at = self.chains[side], chain - 1
        require(1 <= chain <= len(chains), f"{side} has no chain {chain}")
        links = chains[at]
        if number != links.given + 1 or number > links.length:
            what = "was given before" if number <= links.given else "is not the next"
            raise Invalid(
                f"link {number} of chain {chain} of {side} {what}: {links.given} of {links.length} were given"
            )
        is_before = is_word(link) and protocol.before(link) == links.last
        require(is_before, f"link {number} does not fit chain {chain} of {side}")
        self.chains[side] = (*chains[:at], links._replace(given=number, last=link), *chains[at + 1 :])
        self._in_force[side] = link
        self._is_awaited = False
        if waiting is not None:
            self._answer(waiting, side, link)

    def _answer(self, waiting: PendingDie, side: str, link: str) -> None:
        """Note an awaited link. When all are there, they are in force, regardless of links given in between."""
        given = (*waiting.given, (side, link))
        self.waiting = waiting._replace(sides=tuple(other for other in waiting.sides if other != side), given=given)
        if not self.waiting.sides:
            self._in_force.update(given)
            self._fix(waiting.place, LIVE)
            self.waiting, self._is_awaited = None, True

    def _fix(self, place: int, rule: str) -> None:
        self.places.setdefault(place, self._current_links())
        self.rules.setdefault(place, rule)

    def _take_bare(self, words: Sequence[str]) -> None:
        side, why = self._words(words, 2)
        self._expect_side(side)
        require(why in WHY_BARE, f'"{why[:20]}" is not a reason for a request without a link: {", ".join(WHY_BARE)}')
        self._is_awaited = False

    def _take_line(self, words: Sequence[str]) -> None:
        is_back = list(words[2:]) == [BACK]
        is_line = (len(words) not in (0, 1, 3) or is_back) and number_in(words[0]) >= 1 and is_word(words[1])
        require(is_line, "a line of the record has a number and a commitment, and of chance a place and its cases")
        require(self._group, "no request caused this line of the record")
        if len(words) == 2:
            self._is_awaited = False  # somebody may have acted
        if is_back:
            require(self.waiting is not None and self._owner, "an order is taken back here as if a die waited")
            self.waiting = None
        elif len(words) > 2:
            place, cases, answers = number_in(words[2]), number_in(words[3]), answers_in(words[4:])
            require(cases >= 1 and place >= 0, "chance answers at a place, with one of some cases")
            is_list = len(answers) == len(set(answers)) == cases and all(map(is_plain, answers))
            require(is_list or not answers, f"a draw of {cases} cases lists {cases} answers, each once, in plain text")
            self._fix(place, LIVE if self._is_awaited else self.pace)

    def _take_pace(self, words: Sequence[str]) -> None:
        """Note that a side asks for the other pace, agrees to it, or says no; a pending die keeps its rule."""
        number, side, said = self._words(words, 3)
        other = CORRESPONDENCE if self.pace == LIVE else LIVE
        self._expect_own(side)
        is_next = number_in(number) == self.switches + 1 and said in (other, NO) and (said != NO or self.asking)
        require(is_next, f"change {self.switches + 1} of the pace can only be to {other}, or {NO} if it is asked for")
        if said == NO:
            self.asking = ""
        elif not self.asking:
            self.asking = side
        else:
            require(self.asking != side, f"{side} has already asked for this pace; the other side has not agreed")
            self.pace, self.switches, self.asking = other, self.switches + 1, ""

    def _take_alone(self, words: Sequence[str]) -> None:
        """Fix the pending die by the links in force; without the awaited side."""
        side, place = self._words(words, 2)
        self._expect_own(side)
        waiting = self.waiting
        if waiting is None or waiting.place != number_in(place) or side in waiting.sides:
            raise Invalid(f"no die waits there for the other side's link alone, so {side} cannot roll without it")
        self._in_force.update(waiting.given)
        self._fix(waiting.place, ALONE)
        self.waiting = None

    def _expect_own(self, side: str) -> None:
        is_own = self._owner == side and self._group[0].split(" ")[0] in ("link", "bare")
        require(is_own, f"{side[:20]} did not request this")

    def _take_block(self, words: Sequence[str]) -> None:
        number, head, *rest = self._words(words, 5 if len(words) == 5 else 2)
        wrong = f"block {number[:9]} stands where block {self.blocks + 1} is expected"
        require(number_in(number) == self.blocks + 1, wrong)
        said, waiting = " ".join(rest[1:]), self.waiting
        if rest:
            place, sides = number_in(rest[1]), tuple(rest[2].split(","))
            for side in sides:
                self._expect_side(side)
            is_right = all(self.has_chain(side) for side in sides) and len(set(sides)) == len(sides)
            is_free = rest[0] == "waits" and self.pace == LIVE and place >= 0 and self.waiting is None
            require(is_free and is_right, "chance waits in a live game, at one place, for sides that have a chain")
            waiting = PendingDie(place, sides, self.blocks + 1)
        body = protocol.body_of(self._open)
        is_head = head == protocol.next_head(self.blocks + 1, self.head, body, said)
        require(is_head, f"the head of block {number} does not bind the lines above it")
        self._end_group()
        self.body, self._open, self._is_awaited = body, [], False
        self.heads.append(head)
        self.waiting = waiting

    def _words(self, words: Sequence[str], number: int) -> Sequence[str]:
        require(len(words) == number, f"a line of a proof has {number} words here, not {len(words)}")
        return words

    def _expect_side(self, side: str) -> None:
        require(side in self.sides, f'"{side[:20]}" does not play: {", ".join(self.sides)}')


def opening_lines(commitment: str, public: str, pace: str, title: str = SWITCHABLE) -> list[str]:
    """Return the first lines of a proof: the secret's commitment, the public key, and the pace."""
    said = next(line for line, named in PACES[title].items() if named == pace)
    return [title, f"commit {commitment}", f"key {public}", said]


def text_of(record: str, opening: Sequence[str], lines: Sequence[str], secret: bytes | None, signed: str) -> str:
    """Return a file of a record and its proof. `secret` is given once the game has ended, `signed` is the
    `signed_line`."""
    opened = [f"open {secret.hex()}"] if secret is not None else []
    return record + "".join(f"{line}\n" for line in [*opening, *lines, *opened, signed])


def signed_line(blocks: int, head: str, signature: str) -> str:
    """Return the last line of a proof: the latest checkpoint for all."""
    return f"signed {blocks} {head} {signature}"


def restore(
    header: Sequence[str], game: str, sides: tuple[str, str], opening: Sequence[str], lines: Sequence[str]
) -> Ledger:
    """Return the ledger after these lines. Raise Invalid."""
    ledger = Ledger(header, game, sides, opening)
    for line in lines:
        ledger.take(line)
    ledger.added = []
    return ledger


def answers_in(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(words).split(BETWEEN)) if words else ()


def number_in(text: str, digits: int = 9) -> int:
    """Return a number in the proof's form; -1 if it is malformed."""
    is_plain = text.isascii() and text.isdigit() and len(text) <= digits and (text == "0" or text[0] != "0")
    return int(text) if is_plain else -1


# --- its dice ---------------------------------------------------------------------------------------------------------


class SharedDice(Dice):
    """The dice of a provable game. `cases` has the number of cases by place.

    `links_at` returns the links in force at a place, which are fixed at its first use (`Ledger.links_at`).
    """

    def __init__(self, secret: bytes, game: str, links_at: Callable[[int], tuple[str, str]]) -> None:
        super().__init__(secret)
        self._game = game
        self._links_at = links_at
        self.cases: dict[int, int] = {}

    def uniform_below(self, bound: int, place: int) -> int:
        """Return a uniform number from 0 to `bound` - 1. Raise ValueError for a bound below 1."""
        self.cases[place] = bound
        return protocol.number_at(self._key, self._game, place, self._links_at(place), bound)


def shown(cases: int, number: int) -> int:
    """Return the die of a case number, or the sum of two dice: 2 has one case, 3 has two, and so on."""
    if cases == ONE:
        return number + 1
    return next(total for total in range(2, 13) if number < sum(6 - abs(7 - lower) for lower in range(2, total + 1)))


def answers_of(ruleset: Ruleset, state: object, odds: Odds[Action]) -> tuple[str, ...]:
    """Return all answers of a draw in the record's notation, in the order of the cases.

    The tuple is empty for dice, which need no list, and if the answers are not equally probable.
    """
    answers = tuple(ruleset.format_action(state, CHANCE, answer) for answer, _ in odds)
    is_even = len({chance for _, chance in odds}) == 1
    return answers if is_even and answers[0].split(" ")[0] != DIE else ()


# --- a game as it is stored -------------------------------------------------------------------------------------------


class SealMismatch(Invalid):
    """A stored game differs from its proof.

    `line` is the record line, from 1; 0 if the proof or a key was changed. The message contains no secret.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def expect_bound(
    game: str, secret: bytes, signing: bytes, proof: Sequence[str], lines: Sequence[tuple[int, str, str]]
) -> None:
    """Raise NotBound for the first stored line that differs from the proof.

    `secret` is the dice key, `signing` the signing key; a line has its number from 0, actor and text. The header and
    the first block, which binds it, are checked by the ledger.
    """
    key = Signer(signing).public if len(signing) == len(secret) else ""
    if list(proof[1 : OPENING - 1]) != [f"commit {protocol.seal_secret(secret, game)}", f"key {key}"]:
        raise SealMismatch("the keys are not those of its proof")
    bound = [line.split(" ", 3) for line in proof[OPENING:] if line.startswith("line ")]
    for number, (words, stored) in enumerate(zip_longest(bound, lines), 1):
        if words is None or stored is None:
            what = "missing" if stored is None else "not in its proof"
            raise SealMismatch(f"line {number} of its record is {what}", number)
        place, actor, text = stored
        ours = ["line", str(number), protocol.commit_line(secret, game, number, actor, text)]
        if place != number - 1 or words[:3] != ours:
            raise SealMismatch(f"line {number} of its record is not what was sealed when it was given", number)
    block, head, body = 0, "", list[str]()
    for at, line in enumerate(proof[OPENING:], OPENING + 1):
        if not line.startswith("block "):
            body.append(line)
            continue
        words, block = line.split(" ", 4), block + 1
        ours = [str(block), protocol.next_head(block, head, protocol.body_of(body), " ".join(words[4:]))]
        if block > 1 and words[1:3] != ours:
            raise SealMismatch(f"line {at} of its proof was changed, or one of the lines that it binds")
        head, body = words[2] if len(words) > 2 else "", []
