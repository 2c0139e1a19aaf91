"""Reads class lists as schools have them, files or pasted text, without a database or the web.

`reading` turns bytes into a table, or into the tables of a zip. `columns` guesses the contents of
each column. `list_children` takes the first name, age band and id of each child and drops the rest.
`tabular` defines the values that these modules make, and turns them into signed text for a
form.
"""
