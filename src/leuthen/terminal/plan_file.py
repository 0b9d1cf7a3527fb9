"""The plan of a staff between two sittings: in the user's own folder, beside the key of the dice, and in no record."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

import msgspec

from leuthen.engine.ruleset import Side
from leuthen.folders import user_folder


class KeptPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A staff's thought, and after how many actions of the game it was kept."""

    actions: int
    thought: bytes


class PlanFile(NamedTuple):
    """Where the plan of one side's staff is kept; only the user may read it."""

    path: Path

    def keep(self, kept: KeptPlan) -> None:
        """Writes it, whole or not at all. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{self.path.name}-", dir=self.path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(kept))
            os.replace(name, self.path)
        except OSError:
            os.unlink(name)
            raise

    def recall(self, actions: int) -> tuple[bytes, str]:
        """The thought that was kept, and why it cannot be used after so many actions; neither if none was kept."""
        try:
            kept = msgspec.json.decode(self.path.read_bytes(), type=KeptPlan)
        except FileNotFoundError:
            return b"", ""
        except OSError as error:
            return b"", f"{self.path}: {error.strerror}"
        except msgspec.DecodeError:
            return b"", f"{self.path} is damaged"
        if kept.actions > actions:
            return b"", "the game has gone back behind it"
        return kept.thought, ""

    def drop(self) -> None:
        """The game has ended."""
        self.path.unlink(missing_ok=True)


def plan_file(game: str, side: Side) -> PlanFile:
    """Where the staff of a side keeps its plan in the game with that id."""
    name = hashlib.blake2b(game.encode(), digest_size=12).hexdigest()
    return PlanFile(user_folder() / "staff" / f"{name}-{side}.json")
