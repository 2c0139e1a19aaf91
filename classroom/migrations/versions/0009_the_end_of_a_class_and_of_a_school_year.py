"""Let classes and school years end."""

import sqlalchemy as sa
from alembic import op


revision = '0009'
down_revision = '0008'
branch_labels = None
depends_on = None

PERIODS = {'keep_moves': '90', 'keep_archived': '60', 'keep_audit': '365', 'keep_copies': '35'}


def upgrade():
    op.add_column(
        'schools',
        sa.Column('year_end', sa.String(length=5), nullable=False, server_default='07-31'),
    )
    for name, days in PERIODS.items():
        op.add_column(
            'schools', sa.Column(name, sa.Integer(), nullable=False, server_default=days)
        )
    op.add_column('classes', sa.Column('code_made_at', sa.Float(), nullable=True))
    op.add_column('classes', sa.Column('ends_day', sa.Integer(), nullable=True))
    op.add_column('classes', sa.Column('archived_at', sa.Float(), nullable=True))
    op.create_table(
        'year_changes',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('school_id', sa.Integer(), nullable=False),
        sa.Column('by', sa.Integer(), nullable=True),
        sa.Column('at', sa.Float(), nullable=False),
        sa.Column('made', sa.JSON(), nullable=False),
        sa.Column('archived', sa.JSON(), nullable=False),
        sa.Column('ends', sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(['by'], ['adults.id'], name=op.f('fk_year_changes_by_adults'), ondelete='SET NULL'),
        sa.ForeignKeyConstraint(['school_id'], ['schools.id'], name=op.f('fk_year_changes_school_id_schools'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_year_changes')),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f('ix_year_changes_school_id'), 'year_changes', ['school_id'])
    op.create_table(
        'year_moves',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('change_id', sa.Integer(), nullable=False),
        sa.Column('child_id', sa.Integer(), nullable=False),
        sa.Column('from_class', sa.Integer(), nullable=True),
        sa.Column('to_class', sa.Integer(), nullable=True),
        sa.Column('name', sa.String(length=30), nullable=False),
        sa.Column('animal', sa.String(length=12), nullable=False),
        sa.Column('pad', sa.Integer(), nullable=False),
        sa.Column('age_band', sa.String(length=4), nullable=False),
        sa.Column('new_card', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['change_id'], ['year_changes.id'], name=op.f('fk_year_moves_change_id_year_changes'), ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['child_id'], ['children.id'], name=op.f('fk_year_moves_child_id_children'), ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['from_class'], ['classes.id'], name=op.f('fk_year_moves_from_class_classes'), ondelete='SET NULL'),
        sa.ForeignKeyConstraint(['to_class'], ['classes.id'], name=op.f('fk_year_moves_to_class_classes'), ondelete='SET NULL'),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_year_moves')),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f('ix_year_moves_change_id'), 'year_moves', ['change_id'])
    op.create_index(op.f('ix_year_moves_child_id'), 'year_moves', ['child_id'])


def downgrade():
    op.drop_table('year_moves')
    op.drop_table('year_changes')
    for name in ('archived_at', 'ends_day', 'code_made_at'):
        op.drop_column('classes', name)
    for name in ('year_end', *PERIODS):
        op.drop_column('schools', name)
