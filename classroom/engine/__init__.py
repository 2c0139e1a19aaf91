"""How a round of cards is played. Pure code that uses only the standard library."""
