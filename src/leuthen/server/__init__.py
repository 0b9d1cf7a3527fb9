"""The table in a browser: games over HTTP, live by server-sent events. Only `view` and redacted events leave it."""
