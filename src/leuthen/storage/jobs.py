"""What machines have to think, as a queue for all servers of a PostgreSQL: functions of a connection.

Whoever takes a job holds it as long as he counts as there; after that it is free again. An outcome is taken from nobody
but its holder, and read by nobody but who asked, who takes the row away with it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, text, update

from leuthen.storage.schema import jobs, servers

CHANNEL: Final = "leuthen_jobs"
"""Where it is told that a job is to be had (""), or that one is done (the id of the server that asked)."""


class Job(msgspec.Struct, frozen=True):
    """Something to be thought: of which game and kind, all that it takes, for how many seconds at most, and how many
    the game thought lately."""

    id: str
    game: str
    kind: str
    task: bytes
    patience: float
    spent: float


class JobOutcome(msgspec.Struct, frozen=True):
    """What came of a job: bytes (none if the bot failed), whether its time ran out, and how many seconds the game has
    thought lately."""

    found: bytes
    is_late: bool
    spent: float


_decoder: Final = msgspec.msgpack.Decoder(JobOutcome)


def add(connection: Connection, server: str, job: Job) -> None:
    """A server has something to be thought. Raises IntegrityError if it is no more."""
    values = msgspec.structs.asdict(job) | {"server": server, "holder": "", "made": text("clock_timestamp()")}
    connection.execute(insert(jobs).values(values))
    connection.execute(select(func.pg_notify(CHANNEL, "")))


def take(connection: Connection, holder: str, most_spent: float) -> Job | None:
    """The next job that nobody thinks, from the game that thought least; none of one that thought longer than that."""
    is_held = select(servers.c.id).where(servers.c.id == jobs.c.holder).exists()
    waits = jobs.c.outcome.is_(None) & ~is_held & (jobs.c.spent <= most_spent)
    free = select(jobs.c.id).where(waits).order_by(jobs.c.spent, jobs.c.made).limit(1).correlate(None)
    first = free.with_for_update(skip_locked=True, of=jobs).scalar_subquery()
    columns = [jobs.c[name] for name in Job.__struct_fields__]
    found = connection.execute(update(jobs).where(jobs.c.id == first).values(holder=holder).returning(*columns)).first()
    return None if found is None else Job(*found)


def finish(connection: Connection, holder: str, job: str, outcome: JobOutcome) -> bool:
    """Keeps what came of a job for who asked; False if it is somebody else's by now, or nobody's."""
    done = update(jobs).where(jobs.c.id == job, jobs.c.holder == holder, jobs.c.outcome.is_(None))
    kept = done.values(outcome=msgspec.msgpack.encode(outcome)).returning(jobs.c.server)
    asker = connection.execute(kept).scalar()
    if asker is not None:
        connection.execute(select(func.pg_notify(CHANNEL, asker)))
    return asker is not None


def collect(connection: Connection, server: str, awaited: Collection[str]) -> dict[str, JobOutcome | None]:
    """What came of the jobs that a server waits for; None for what is lost.

    Rows that are done, or that it does not wait for, are gone then.
    """
    mine = jobs.c.server == server
    is_over = or_(jobs.c.outcome.is_not(None), jobs.c.id.not_in(awaited))
    gone = connection.execute(delete(jobs).where(mine, is_over).returning(jobs.c.id, jobs.c.outcome))
    outcomes = {job: _read(outcome) for job, outcome in gone if job in awaited}
    standing = set(connection.execute(select(jobs.c.id).where(mine)).scalars())
    return {job: outcomes.get(job) for job in awaited if job not in standing}


def _read(outcome: bytes) -> JobOutcome | None:
    try:
        return _decoder.decode(outcome)
    except msgspec.MsgspecError:
        return None  # another program's
