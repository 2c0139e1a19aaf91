"""Keep the books that a child made in each round, for the child's collection."""

import sqlalchemy as sa
from alembic import op


revision = '0015'
down_revision = '0014'
branch_labels = None
depends_on = None


def upgrade():
    op.add_column('child_rounds', sa.Column('made', sa.JSON(none_as_null=True), nullable=True))


def downgrade():
    op.drop_column('child_rounds', 'made')
