"""levels counted again, because the formula allows for slips."""

from alembic import op


revision = '0021'
down_revision = '0020'
branch_labels = None
depends_on = None


def upgrade():
    op.execute(
        'INSERT INTO recounts (child_id) SELECT DISTINCT child_id FROM strand_tracks '
        'WHERE child_id NOT IN (SELECT child_id FROM recounts)'
    )


def downgrade():
    pass
