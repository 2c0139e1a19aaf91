"""Keep whether a child's pages speak, and how often the voice asks children how they knew."""

import sqlalchemy as sa
from alembic import op


revision = '0018'
down_revision = '0017'
branch_labels = None
depends_on = None

CHOSEN_AT = ('schools', 'class_settings', 'group_rules', 'child_rules', 'child_settings')


def upgrade():
    for table in CHOSEN_AT:
        op.add_column(table, sa.Column('voice', sa.Boolean(), nullable=True))
    op.add_column('class_settings', sa.Column('talk', sa.String(length=8), nullable=True))


def downgrade():
    op.drop_column('class_settings', 'talk')
    for table in CHOSEN_AT:
        op.drop_column(table, 'voice')
