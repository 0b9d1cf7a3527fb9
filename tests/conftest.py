"""What all tests share."""

from __future__ import annotations

import pytest

from tests.toy import Toy


@pytest.fixture
def toy() -> Toy:
    return Toy()
