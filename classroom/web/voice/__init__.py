"""Pages on which adults lend their voice, and what a page needs to speak with it."""
