"""Add levels by strand, and tell the set form apart in tallies.

All counts are emptied and all evidence is marked as not counted. The worker counts it again, and
until then pages add the rows themselves.
"""

import sqlalchemy as sa
from alembic import op


revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        'strand_tracks',
        sa.Column('child_id', sa.Integer(), nullable=False),
        sa.Column('strand', sa.String(length=10), nullable=False),
        sa.Column('track', sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ['child_id'], ['children.id'],
            name=op.f('fk_strand_tracks_child_id_children'), ondelete='CASCADE',
        ),
        sa.PrimaryKeyConstraint('child_id', 'strand', name=op.f('pk_strand_tracks')),
    )
    op.drop_table('tallies')
    _tallies(form=True)
    _count_again()


def downgrade():
    op.drop_table('tallies')
    _tallies(form=False)
    op.drop_table('strand_tracks')
    _count_again()


def _tallies(*, form):
    extra = [sa.Column('form', sa.Boolean(), nullable=False)] if form else []
    key = ['child_id', 'skill', 'day', 'source', 'how', *(['form'] if form else []), 'weak']
    op.create_table(
        'tallies',
        sa.Column('child_id', sa.Integer(), nullable=False),
        sa.Column('skill', sa.String(length=30), nullable=False),
        sa.Column('day', sa.Integer(), autoincrement=False, nullable=False),
        sa.Column('source', sa.String(length=8), nullable=False),
        sa.Column('how', sa.String(length=8), nullable=False),
        *extra,
        sa.Column('weak', sa.Boolean(), nullable=False),
        sa.Column('trial', sa.String(length=3), nullable=False),
        sa.Column('lag_bin', sa.Integer(), autoincrement=False, nullable=False),
        sa.Column('overlap', sa.Boolean(), nullable=False),
        sa.Column('check', sa.Integer(), autoincrement=False, nullable=False),
        sa.Column('n', sa.Integer(), nullable=False),
        sa.Column('right', sa.Integer(), nullable=False),
        sa.Column('mixed_up', sa.Integer(), nullable=False),
        sa.Column('guess_sum', sa.Float(), nullable=False),
        sa.Column('lag_sum', sa.Integer(), nullable=False),
        sa.Column('days', sa.Integer(), nullable=False),
        sa.Column('sessions', sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ['child_id'], ['children.id'],
            name=op.f('fk_tallies_child_id_children'), ondelete='CASCADE',
        ),
        sa.PrimaryKeyConstraint(
            *key, 'trial', 'lag_bin', 'overlap', 'check', name=op.f('pk_tallies')
        ),
        sqlite_with_rowid=False,
    )


def _count_again():
    op.execute('DELETE FROM skill_windows')
    op.execute(sa.text('UPDATE evidence SET counted = :no').bindparams(no=False))
