"""Let a class keep its code."""

import sqlalchemy as sa
from alembic import op


revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None


def upgrade():
    # Without a batch: in a batch SQLite copies the table, and dropping the old one would delete all
    # rows that refer to it.
    op.add_column(
        'classes', sa.Column('code_kept', sa.Boolean(), server_default=sa.false(), nullable=False)
    )


def downgrade():
    op.drop_column('classes', 'code_kept')
