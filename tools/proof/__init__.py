"""The proof: what reports show about simulated children whose ability and memory are known.

`python -m tools.proof [--long]` prints the tables of docs/learning.md.
"""
