"""Answers counted again: tallies have no set form, and remembering is kept with the tracks.

The column stays until 0.2, which has it in its key, no longer runs beside this version.
"""

from alembic import op


revision = '0024'
down_revision = '0023'
branch_labels = None
depends_on = None


def upgrade():
    op.execute(
        'INSERT INTO recounts (child_id) SELECT DISTINCT child_id FROM tallies '
        'WHERE child_id NOT IN (SELECT child_id FROM recounts)'
    )


def downgrade():
    pass
