"""Fish School. Empty on purpose: importing classroom.engine never imports Flask."""
