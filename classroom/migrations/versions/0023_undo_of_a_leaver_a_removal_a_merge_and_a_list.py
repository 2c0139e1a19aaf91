"""undo of a leaver, a removal, a merge and a list."""

import sqlalchemy as sa
from alembic import op


revision = '0023'
down_revision = '0022'
branch_labels = None
depends_on = None


def upgrade():
    op.add_column(
        'year_changes',
        sa.Column('what', sa.String(length=8), server_default='year', nullable=False),
    )
    op.add_column('year_changes', sa.Column('given', sa.JSON(), nullable=True))


def downgrade():
    op.drop_column('year_changes', 'given')
    op.drop_column('year_changes', 'what')
