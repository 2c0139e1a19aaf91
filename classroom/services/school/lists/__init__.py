"""Class lists as schools have them: files and pasted text. This package uses no database or web.

`reading` turns bytes into a table or the tables of a zip, `columns` finds out what each column is,
`list_children` takes the first name, age band and id of each child and drops the rest. `tabular`
has the values that these make, and turns them into text for a form.
"""
