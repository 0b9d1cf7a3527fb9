import asyncio
import re
from pathlib import Path

import pytest

from leuthen.school.lessons import lessons
from tests.school.pupil import AtSchool
from tests.school.test_first_lesson import SECONDS_A_CLICK, WORDS_A_MINUTE

PAGE = Path(__file__).parents[2] / "docs" / "usability.md"
CLICKS_AN_ORDER = 3
TWELVE_MINUTES = 12 * 60


async def length(name: str) -> tuple[int, int]:
    pupil = await AtSchool.begin(name)
    at = await pupil.at()
    said = {lessons()[name].about, at.goal}
    while at.done < at.steps:
        said |= {at.say, at.remark}
        await pupil.order(at.order or await pupil.least())
        at = await pupil.at()
    return sum(len(text.split()) for text in said | {at.say}), len(pupil.given)


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_takes_no_longer_than_it_says_and_the_page_has_its_figures(name: str) -> None:
    words, orders = asyncio.run(length(name))
    seconds = words * 60 / WORDS_A_MINUTE + orders * CLICKS_AN_ORDER * SECONDS_A_CLICK
    assert seconds <= min(lessons()[name].minutes * 60, TWELVE_MINUTES)
    row = re.search(rf"^\| {re.escape(lessons()[name].title)} \| (\d+) \| (\d+) \|", PAGE.read_text("utf-8"), re.M)
    assert row is not None
    assert (int(row[1]), int(row[2])) == (words, orders)
