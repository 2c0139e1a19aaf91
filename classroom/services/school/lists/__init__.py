"""Reads schools' class lists, from files or pasted text, without using the database or the web.

`reading` turns bytes into a table, or into the tables of a zip. `columns` guesses the contents of
each column. `list_children` takes the first name, age band and id of each child and drops the rest.
`tabular` defines the values that these modules make, and turns them into signed text for a form.
"""
