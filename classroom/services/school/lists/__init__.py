"""Class lists as schools have them: files and pasted text, read without database and web.

`reading` turns bytes into a table or the tables of a zip, `columns` finds out what each column is,
`people` takes the first name, age band and id of each child and drops the rest. `tables` has the
values that they make, and those as text for a form.
"""
