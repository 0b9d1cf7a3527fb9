"""An example bot: it takes a seat by the secret of its link and draws each order from the offered forms.

python examples/bot.py http://127.0.0.1:8756 SECRET [KEY]

The secret works once. With its own key (22 letters or more), the bot can return to the seat later.
"""

import json
import random
import secrets
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BACKWARD = ("clear", "remove", "reopen")  # at random, these would keep the deployment from ending
url, secret, *own = sys.argv[1:]
key = own[0] if own else secrets.token_urlsafe(18)


def ask(path, body=None):
    """Send a request for the seat and return the response."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(url + path, data, headers))


def draw_order():
    """Return a random order, drawn slot by slot: the last field of a form is open. If a rule bars the choices, start
    again.
    """
    partial_order = {}
    while not (form := json.load(ask(f"{seat}/form", {"partial_order": partial_order}))).get("order"):
        field = form["fields"][-1]
        tokens = [choice["token"] for choice in field["choices"]]
        forward = [token for token in tokens if token not in BACKWARD] or tokens
        partial_order = {} if form.get("refused") else {**partial_order, field["key"]: random.choice(forward)}
    return form["order"]


def play(table):
    """Send an order if the seat has to act; the result comes in the stream."""
    if any(awaited["is_yours"] for awaited in table["awaited"]):
        try:
            ask(f"{seat}/orders", {"seen": table["n"], "key": secrets.token_hex(8), "order": draw_order()})
        except HTTPError as refusal:  # 409: the game has moved on; the stream sends the news
            if refusal.code != 409:
                raise


def follow():
    """Follow the stream and act. Return the result of the game, or None if the stream has ended."""
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
    """Reconnect after a restart of the server: each stream starts with the whole state. Return the result."""
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
