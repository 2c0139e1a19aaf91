"""Cards and decks. A card is its code (RECORD.md): `7H`, `RS1`, `L*`, `10-d`."""

from __future__ import annotations

Card = str
