"""Generate the client's types from the engine's: `python -m tools.clienttypes` writes src/leuthen/client/types.d.ts."""
