"""A small proxy before several servers: each connection goes to the next of them that is there."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from threading import Thread

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy(Thread):
    """Passes bytes between whoever calls its port and the servers at the ports that `servers` gives."""

    def __init__(self, servers: Callable[[], Sequence[int]]) -> None:
        super().__init__(daemon=True)
        self.passed: Counter[int] = Counter()
        """How many connections went to each port."""
        self._servers = servers
        self._numbers = count()
        self._loop = asyncio.new_event_loop()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]

    def run(self) -> None:
        server = self._loop.run_until_complete(asyncio.start_server(self._pass_on, sock=self._listening))
        self._loop.run_forever()
        self._loop.run_until_complete(self._end(server))
        self._loop.close()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self.join(30)

    async def _end(self, server: asyncio.Server) -> None:
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await self._connect()
        try:
            if there is not None:
                await asyncio.gather(_copy(reader, there[1]), _copy(there[0], writer))
        except asyncio.CancelledError:
            pass  # the proxy ends
        finally:
            for one in (writer, *(there or ())[1:]):
                one.transport.abort()

    async def _connect(self) -> Streams | None:
        ports = self._servers()
        first = next(self._numbers)
        for n in range(len(ports)):
            port = ports[(first + n) % len(ports)]
            try:
                found = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
            self.passed[port] += 1
            return found
        return None


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    except OSError:
        pass
    finally:
        target.transport.abort() if source.exception() else target.close()
