"""Fish School. Empty on purpose, so that importing classroom.engine does not import Flask."""
