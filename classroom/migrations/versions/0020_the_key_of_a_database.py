"""the key of a database."""

import sqlalchemy as sa
from alembic import op


revision = '0020'
down_revision = '0019'
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        'installations',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('key_print', sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_installations')),
    )


def downgrade():
    op.drop_table('installations')
