"""Add the signs of devices at the door."""

import sqlalchemy as sa
from alembic import op


revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table('door_knocks', schema=None) as batch_op:
        batch_op.add_column(sa.Column('sign', sa.String(length=20), nullable=True))
        batch_op.add_column(sa.Column('since', sa.Float(), nullable=True))


def downgrade():
    with op.batch_alter_table('door_knocks', schema=None) as batch_op:
        batch_op.drop_column('since')
        batch_op.drop_column('sign')
