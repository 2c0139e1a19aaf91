"""Keep what a hint told, and the focus of a class."""

import sqlalchemy as sa
from alembic import op


revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None


def upgrade():
    # Without a batch: in a batch SQLite copies the table, and dropping the old one would delete all
    # rows that refer to it.
    op.add_column('help_taken', sa.Column('about', sa.JSON(), nullable=True))
    op.add_column('class_settings', sa.Column('focus', sa.JSON(), nullable=True))


def downgrade():
    op.drop_column('class_settings', 'focus')
    op.drop_column('help_taken', 'about')
