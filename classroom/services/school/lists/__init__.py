"""Class lists as schools have them: files and pasted text, read without database and web.

`reading` turns bytes into a table or a bundle of tables, `columns` finds out what each column is,
`people` takes from it a first name and an age band and drops the rest.
"""
