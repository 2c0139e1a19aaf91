"""How the pieces of the voice are spoken, made equally loud, and measured (docs/voice.md)."""
