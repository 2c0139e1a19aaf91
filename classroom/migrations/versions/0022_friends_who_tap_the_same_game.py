"""Let friends who tap the same game find each other, and note who has closed the table's page."""

import sqlalchemy as sa
from alembic import op


revision = '0022'
down_revision = '0021'
branch_labels = None
depends_on = None


def upgrade():
    op.add_column('gatherings', sa.Column('until', sa.Float(), nullable=True))
    op.add_column(
        'players', sa.Column('gone', sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade():
    op.drop_column('players', 'gone')
    op.drop_column('gatherings', 'until')
