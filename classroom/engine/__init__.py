"""How a round of cards is played. Pure: only the standard library."""
