"""Keep the ids that the school's own system gives classes and children."""

import sqlalchemy as sa
from alembic import op


revision = '0010'
down_revision = '0009'
branch_labels = None
depends_on = None


def upgrade():
    op.add_column('classes', sa.Column('sourced_id', sa.String(length=255), nullable=True))
    op.add_column('children', sa.Column('sourced_id', sa.String(length=255), nullable=True))
    op.create_index('ix_children_sourced_id', 'children', ['sourced_id'])


def downgrade():
    op.drop_index('ix_children_sourced_id', 'children')
    op.drop_column('children', 'sourced_id')
    op.drop_column('classes', 'sourced_id')
