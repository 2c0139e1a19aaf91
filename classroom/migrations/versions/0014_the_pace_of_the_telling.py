"""Let adults choose the pace at which a table tells what happens."""

import sqlalchemy as sa
from alembic import op


revision = '0014'
down_revision = '0013'
branch_labels = None
depends_on = None

CHOSEN_AT = ('schools', 'class_settings', 'child_rules', 'child_settings')


def upgrade():
    for table in CHOSEN_AT:
        op.add_column(table, sa.Column('pace', sa.String(length=8), nullable=True))
    op.add_column(
        'players',
        sa.Column('pace', sa.String(length=8), nullable=False, server_default='usual'),
    )


def downgrade():
    for table in ('players', *CHOSEN_AT):
        op.drop_column(table, 'pace')
