"""Add second factors for adults."""

import sqlalchemy as sa
from alembic import op


revision = '0012'
down_revision = '0011'
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        'second_factors',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('adult_id', sa.Integer(), nullable=False),
        sa.Column('kind', sa.String(length=4), nullable=False),
        sa.Column('name', sa.String(length=40), nullable=False),
        sa.Column('word', sa.String(length=32), nullable=False),
        sa.Column('credential', sa.String(length=1400), nullable=False),
        sa.Column('public_key', sa.String(length=2000), nullable=False),
        sa.Column('last_step', sa.BigInteger(), nullable=False),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('last_at', sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(['adult_id'], ['adults.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id'),
        sqlite_autoincrement=True,
    )
    op.create_index('ix_second_factors_adult_id', 'second_factors', ['adult_id'])


def downgrade():
    op.drop_table('second_factors')
