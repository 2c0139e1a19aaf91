"""Add groups inside a class, and the plan for its next lesson."""

import sqlalchemy as sa
from alembic import op


revision = '0013'
down_revision = '0012'
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        'child_groups',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('class_id', sa.Integer(), nullable=False),
        sa.Column('name', sa.String(length=30), nullable=False),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(['class_id'], ['classes.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id'),
        sqlite_autoincrement=True,
    )
    op.create_index('ix_child_groups_class_id', 'child_groups', ['class_id'])
    op.create_table(
        'group_members',
        sa.Column('child_id', sa.Integer(), nullable=False),
        sa.Column('group_id', sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(['child_id'], ['children.id'], ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['group_id'], ['child_groups.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('child_id'),
    )
    op.create_index('ix_group_members_group_id', 'group_members', ['group_id'])
    op.create_table(
        'planned_tables',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('class_id', sa.Integer(), nullable=False),
        sa.Column('game', sa.String(length=40), nullable=False),
        sa.Column('number_low', sa.Integer(), nullable=True),
        sa.Column('number_high', sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(['class_id'], ['classes.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('id'),
        sqlite_autoincrement=True,
    )
    op.create_index('ix_planned_tables_class_id', 'planned_tables', ['class_id'])
    op.create_table(
        'planned_seats',
        sa.Column('child_id', sa.Integer(), nullable=False),
        sa.Column('table_id', sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(['child_id'], ['children.id'], ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['table_id'], ['planned_tables.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('child_id'),
    )
    op.create_index('ix_planned_seats_table_id', 'planned_seats', ['table_id'])
    op.add_column('gatherings', sa.Column('number_low', sa.Integer(), nullable=True))
    op.add_column('gatherings', sa.Column('number_high', sa.Integer(), nullable=True))


def downgrade():
    op.drop_column('gatherings', 'number_high')
    op.drop_column('gatherings', 'number_low')
    for table in ('planned_seats', 'planned_tables', 'group_members', 'child_groups'):
        op.drop_table(table)
