"""Pages on which adults record their voice, and the data with which pages speak in that voice."""
