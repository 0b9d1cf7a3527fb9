"""What the games of the corpus are: set-up, players, where each breaks off, what is agreed at the table meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from leuthen.engine.ruleset import Side

Deed = Literal["undo", "take-back", "resign", "agree-draw", "standing"]
RANDOM, PLANNER = ("random", "random"), ("planner", "planner")


class Event(NamedTuple):
    """What a side does beside the rules, at the first chance after so many actions; `words`: its instruction."""

    after: int
    deed: Deed
    side: Side = 0
    words: str = ""


class Plan(NamedTuple):
    """A game of the corpus. Its name is the seed of its dice and of its players."""

    name: str
    covers: str
    players: tuple[str, str] = RANDOM
    scenario: str = "campaign"
    options: Mapping[str, str] = {}
    events: tuple[Event, ...] = ()
    cut: int = 0
    """After so many actions the game breaks off; 0: it is played to its end."""


YEARS: Final = ("1757", "1758", "1759", "1760", "1761", "1762")
SMALL: Final = ("zorndorf-hochkirch", "kunersdorf-maxen", "liegnitz-torgau")
SHORT: Final = {"last-year": "1757"}
UNDOS: Final = tuple(Event(after, "undo", side) for after in (8, 40, 90, 150) for side in (0, 1))
HOLD: Final = "hold other; losses by-share; join always; concentrate yes; break-off at 20; attack"
WATCHFUL: Final = "attack of 0-30 odds 40; hold other; feed always; losses by-share; concentrate no"

FREDERICK: Final = (
    Plan("planners", "a whole war of planners", PLANNER),
    Plan("random", "a whole war at random, cut late", cut=2400),
    Plan("to-1756", "last-year 1756", options={"last-year": "1756"}),
    Plan("to-1757", "last-year 1757, a planner against random", ("planner", "random"), options=SHORT),
    Plan("to-1758", "last-year 1758, random against a planner", ("random", "planner"), options={"last-year": "1758"}),
    Plan("to-1759", "last-year 1759, at random", options={"last-year": "1759"}),
    Plan("to-1760", "last-year 1760, planners", PLANNER, options={"last-year": "1760"}),
    Plan("to-1761", "last-year 1761, planners", PLANNER, options={"last-year": "1761"}),
    Plan("die-each", "march-die force, planners", PLANNER, options={**SHORT, "march-die": "force"}),
    Plan("die-each-random", "march-die force, at random", options={**SHORT, "march-die": "force"}),
    Plan("morale-5", "morale-target 5", PLANNER, options={"last-year": "1758", "morale-target": "5"}),
    Plan("morale-6", "morale-target 6", options={**SHORT, "morale-target": "6"}),
    Plan("morale-8", "morale-target 8", PLANNER, options={"last-year": "1758", "morale-target": "8"}),
    Plan("hanover", "hanover-note marked", options={"last-year": "1758", "hanover-note": "marked"}),
    Plan("besieged", "besieged-redeployment barred", PLANNER, options={**SHORT, "besieged-redeployment": "barred"}),
    Plan("counters", "counters unlimited", PLANNER, options={"last-year": "1758", "counters": "unlimited"}),
    *(
        Plan(
            f"points-{points}",
            f"austrian-points {points}, planners",
            PLANNER,
            options={**SHORT, "austrian-points": points},
        )
        for points in ("33", "36", "39", "42")
    ),
    Plan("deployment", "broken off in the deployment, after undone actions", events=UNDOS[:2], cut=15),
    Plan("undo", "undone actions of both sides; broken off", events=UNDOS, cut=600),
    Plan(
        "takeback",
        "takebacks granted by both sides; broken off",
        events=(*UNDOS[2:4], Event(120, "take-back", 0), Event(300, "take-back", 1)),
        cut=500,
    ),
    Plan("resign", "the Austrian side resigns", PLANNER, events=(Event(180, "resign", 1),)),
    Plan("draw", "a draw by agreement", ("planner", "random"), events=(Event(200, "agree-draw", 0),)),
    *(Plan(f"start-{name}", f"scenario {name}, planners", PLANNER, name) for name in ("bohemia", "rossbach-leuthen")),
    *(
        Plan(f"start-{year}", f"scenario {year}, a planner against random", ("planner", "random"), year)
        for year in YEARS
    ),
    *(
        Plan(f"start-from-{year}", f"from {year} to the end, planners; broken off", PLANNER, f"from-{year}", cut=700)
        for year in YEARS
    ),
    *(Plan(f"start-{name}", f"scenario {name}, at random", scenario=name) for name in SMALL),
)

CAMPAIGNS: Final = (
    Plan("1757", "1757 with the variant, planners", PLANNER, "1757"),
    Plan("1757-random", "1757 at random", scenario="1757"),
    Plan("1756-base", "1756, rules base, planners", PLANNER, "1756", {"rules": "base"}),
    Plan("1756-random", "1756 at random", scenario="1756"),
    Plan("1758", "1758, planners", PLANNER, "1758"),
    Plan("1758-base-random", "1758, rules base, at random", scenario="1758", options={"rules": "base"}),
    Plan("1759-hidden", "1759, hidden, planners; broken off", PLANNER, "1759", {"hidden": "yes"}, cut=1500),
    Plan("1759-random", "1759, random against a planner", ("random", "planner"), "1759"),
    Plan("campaign-random", "the whole war at random; broken off", cut=2400),
    Plan("campaign", "the whole war of planners; broken off", PLANNER, cut=2200),
    Plan(
        "campaign-hidden",
        "the whole war, hidden, base, at random; broken off",
        RANDOM,
        "campaign",
        {"hidden": "yes", "rules": "base"},
        cut=1500,
    ),
    Plan("need25", "need25 yes, planners", PLANNER, "1756", {"need25": "yes"}),
    Plan("recover", "recoverReduced yes, planners", PLANNER, "1757", {"recoverReduced": "yes"}),
    Plan(
        "hidden-base",
        "1757, hidden, base, planners; broken off",
        PLANNER,
        "1757",
        {"hidden": "yes", "rules": "base"},
        cut=1200,
    ),
    Plan(
        "standing",
        "standing instructions of both sides",
        PLANNER,
        "1757",
        events=(
            Event(60, "standing", 1, HOLD),
            Event(200, "standing", 0, WATCHFUL),
            Event(700, "standing", 1, HOLD),
            Event(900, "standing", 0, HOLD),
            Event(1000, "standing", 0, "off"),
        ),
    ),
    Plan(
        "standing-hidden",
        "standing instructions, hidden",
        RANDOM,
        "1758",
        {"hidden": "yes"},
        events=(
            Event(30, "standing", 0, HOLD),
            Event(40, "standing", 1, WATCHFUL),
            Event(300, "standing", 0, WATCHFUL),
        ),
    ),
    Plan(
        "takeback",
        "takebacks granted, one while an instruction is in force; broken off",
        RANDOM,
        "1757",
        events=(Event(60, "take-back", 0), Event(150, "standing", 0, HOLD), Event(180, "take-back", 1)),
        cut=400,
    ),
    Plan("undo", "undone actions of both sides, hidden; broken off", RANDOM, "1757", {"hidden": "yes"}, UNDOS, 400),
    Plan("resign", "the Prussian side resigns", PLANNER, "1757", events=(Event(300, "resign", 0),)),
    Plan("start-prague", "scenario prague, planners", PLANNER, "prague"),
    Plan("start-olmutz", "scenario olmutz, at random", RANDOM, "olmutz"),
    Plan(
        "draw",
        "a draw by agreement, base",
        ("planner", "random"),
        "1758",
        {"rules": "base"},
        (Event(250, "agree-draw", 1),),
    ),
)

PLANS: Final[Mapping[str, tuple[Plan, ...]]] = {"frederick": FREDERICK, "campaigns": CAMPAIGNS}
