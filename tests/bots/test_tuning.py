"""The bench that tunes a captain: every number goes its way, and the one that matters is found."""

from __future__ import annotations

from random import Random

from bench.tuning import LARGER, SMALLER, Trial, Tried, captain_of, names_of, play, table, temper_of

TRIAL = Trial("frederick", "bohemia", 0.25, (), "tuning", 0)


def test_every_number_is_moved_its_way_and_counts_by_one_at_least() -> None:
    for ruleset in ("frederick", "campaigns"):
        trial = TRIAL._replace(ruleset=ruleset)
        captain, names = captain_of(ruleset).CAPTAIN, names_of(trial)
        assert names
        for sign, way in ((LARGER, 1), (SMALLER, -1)):
            moved = temper_of(trial, dict.fromkeys(names, sign))
            for name in names:
                before, after = getattr(captain, name), getattr(moved, name)
                assert type(before) is type(after)
                assert (after - before) * way > 0 or not before


def test_the_same_trial_gives_the_same_pair() -> None:
    one = play(TRIAL)
    assert play(TRIAL) == one
    assert set(one.signs) == {LARGER, SMALLER}
    assert play(TRIAL._replace(number=1)).signs != one.signs


def test_the_number_that_wins_games_is_told_from_those_that_do_not() -> None:
    rng, names = Random(1), ("pace", "delay", "caution")
    tried = []
    for number in range(200):
        signs = "".join(rng.choice(LARGER + SMALLER) for _ in names)
        wins = signs[1] == LARGER
        tried.append(Tried(TRIAL._replace(names=names, number=number), signs, 0.5 + 0.25 * wins, 40.0 * wins))
    rows = {row.split("`")[1]: row for row in table(tried) if row.startswith("| `")}
    assert "+20" in rows["delay"] or "+19" in rows["delay"] or "+21" in rows["delay"]
    assert not any("+20" in rows[name] for name in ("pace", "caution"))
