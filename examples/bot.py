"""A bot: takes a seat by the secret of its link and draws every order from the forms that it is offered.

python examples/bot.py http://127.0.0.1:8756 SECRET [KEY]

The secret opens the seat once; with a key of its own (22 letters or more), given again, the bot comes back to it.
"""

import json
import random
import secrets
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BACKWARD = ("clear", "remove", "reopen")  # given at random they would keep a deployment from ever being sealed
url, secret, *own = sys.argv[1:]
key = own[0] if own else secrets.token_urlsafe(18)


def ask(path, body=None):
    """A request of the seat, and its answer."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(url + path, data, headers))


def draw_order():
    """An order, drawn slot by slot: the last field of a form is open. Where a rule bars the way it begins anew."""
    partial_order = {}
    while not (form := json.load(ask(f"{seat}/form", {"partial_order": partial_order}))).get("order"):
        field = form["fields"][-1]
        tokens = [choice["token"] for choice in field["choices"]]
        forward = [token for token in tokens if token not in BACKWARD] or tokens
        partial_order = {} if form.get("refused") else {**partial_order, field["key"]: random.choice(forward)}
    return form["order"]


def play(table):
    """Gives one order if one is asked for; what comes of it is told by the stream."""
    if any(awaited["is_yours"] for awaited in table["awaited"]):
        try:
            ask(f"{seat}/orders", {"seen": table["n"], "key": secrets.token_hex(8), "order": draw_order()})
        except HTTPError as refusal:  # 409: something has happened meanwhile, and the stream tells of it
            if refusal.code != 409:
                raise


def follow():
    """Plays what the stream asks for; gives the result of the game, or None when the stream has ended."""
    event = ""
    for line in ask(f"{seat}/stream"):
        field, _, value = line.decode().rstrip("\n").partition(": ")
        event = value if field == "event" else event
        if field == "data" and event in ("fresh", "news"):
            table = json.loads(value)
            play(table)
            if result := table.get("scene", table.get("patch", {})).get("result"):
                return result
    return None


def keep_following():
    """Comes back after a restart of the server: the stream begins with all that there is to know."""
    while True:
        try:
            if result := follow():
                return result
        except (OSError, HTTPException) as error:
            if isinstance(error, HTTPError) and error.code not in (429, 500, 502, 503, 504, 507):
                raise
        time.sleep(2)


seat = "/api/seats/" + json.load(ask("/api/take", {"secret": secret, "key": key}))["seat"]
print(keep_following())
