"""Let play at home have other hours at weekends."""

import sqlalchemy as sa
from alembic import op


revision = '0019'
down_revision = '0018'
branch_labels = None
depends_on = None

TIMES = (('home_weekend_from', '600'), ('home_weekend_until', '1140'))


def upgrade():
    op.add_column(
        'classes',
        sa.Column('home_weekend', sa.String(length=8), server_default='same', nullable=False),
    )
    for name, usual in TIMES:
        op.add_column(
            'classes', sa.Column(name, sa.Integer(), server_default=usual, nullable=False)
        )


def downgrade():
    for name, _ in reversed(TIMES):
        op.drop_column('classes', name)
    op.drop_column('classes', 'home_weekend')
