"""Let each class choose the standards that it sees."""

import sqlalchemy as sa
from alembic import op


revision = '0006'
down_revision = '0005'
branch_labels = None
depends_on = None


def upgrade():
    op.add_column(
        'class_settings',
        sa.Column('standards', sa.String(length=12), nullable=False, server_default='common_core'),
    )


def downgrade():
    op.drop_column('class_settings', 'standards')
