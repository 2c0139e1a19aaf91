"""remembering counted again, because it is kept with the tracks."""

from alembic import op


revision = '0024'
down_revision = '0023'
branch_labels = None
depends_on = None


def upgrade():
    op.execute(
        'INSERT INTO recounts (child_id) SELECT DISTINCT child_id FROM strand_tracks '
        "WHERE strand = 'recall' AND child_id NOT IN (SELECT child_id FROM recounts)"
    )
    op.execute(
        'INSERT INTO recounts (child_id) SELECT DISTINCT child_id FROM skill_windows '
        "WHERE skill = 'recall_ask' AND child_id NOT IN (SELECT child_id FROM recounts)"
    )


def downgrade():
    pass
