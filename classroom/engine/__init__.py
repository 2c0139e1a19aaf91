"""How a table of cards works. Pure: standard library only."""
