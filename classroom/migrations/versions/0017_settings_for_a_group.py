"""Add settings for a group, and mark children about whom nothing may be worked out."""

import sqlalchemy as sa
from alembic import op


revision = '0017'
down_revision = '0016'
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        'group_rules',
        sa.Column('group_id', sa.Integer(), nullable=False),
        sa.Column('opponents', sa.Integer(), nullable=True),
        sa.Column('level', sa.String(length=20), nullable=True),
        sa.Column('deck', sa.String(length=20), nullable=True),
        sa.Column('board', sa.String(length=8), nullable=True),
        sa.Column('hints', sa.Boolean(), nullable=True),
        sa.Column('pace', sa.String(length=8), nullable=True),
        sa.Column('questions', sa.String(length=12), nullable=True),
        sa.Column('question_skills', sa.JSON(none_as_null=True), nullable=True),
        sa.Column('number_low', sa.Integer(), nullable=True),
        sa.Column('number_high', sa.Integer(), nullable=True),
        sa.Column('play_by', sa.Integer(), nullable=True),
        sa.Column('play_at', sa.Float(), nullable=True),
        sa.Column('questions_by', sa.Integer(), nullable=True),
        sa.Column('questions_at', sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(['group_id'], ['child_groups.id'], ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['play_by'], ['adults.id'], ondelete='SET NULL'),
        sa.ForeignKeyConstraint(['questions_by'], ['adults.id'], ondelete='SET NULL'),
        sa.PrimaryKeyConstraint('group_id'),
    )
    op.create_table(
        'restrictions',
        sa.Column('child_id', sa.Integer(), nullable=False),
        sa.Column('whose', sa.String(length=8), nullable=False),
        sa.Column('reason', sa.String(length=12), nullable=False),
        sa.Column('by', sa.Integer(), nullable=True),
        sa.Column('since', sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(['child_id'], ['children.id'], ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['by'], ['adults.id'], ondelete='SET NULL'),
        sa.PrimaryKeyConstraint('child_id', 'whose'),
    )


def downgrade():
    op.drop_table('restrictions')
    op.drop_table('group_rules')
