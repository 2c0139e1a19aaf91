"""Add administrators, invitations for colleagues, and accounts that end.

The teacher with the lowest id in each school becomes its administrator, if it has none.
"""

import sqlalchemy as sa
from alembic import op


revision = '0007'
down_revision = '0006'
branch_labels = None
depends_on = None


def upgrade():
    op.add_column('adults', sa.Column('ends_at', sa.Float(), nullable=True))
    op.add_column(
        'adults', sa.Column('role_since', sa.Float(), nullable=False, server_default='0')
    )
    op.add_column(
        'class_teachers', sa.Column('since', sa.Float(), nullable=False, server_default='0')
    )
    op.create_table(
        'invitations',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('school_id', sa.Integer(), nullable=False),
        sa.Column('role', sa.String(length=10), nullable=False),
        sa.Column('class_id', sa.Integer(), nullable=True),
        sa.Column('code_hash', sa.String(length=64), nullable=False),
        sa.Column('made_by', sa.Integer(), nullable=False),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('ends_at', sa.Float(), nullable=False),
        sa.Column('account_ends_at', sa.Float(), nullable=True),
        sa.Column('used_at', sa.Float(), nullable=True),
        sa.Column('used_by', sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ['school_id'], ['schools.id'],
            name=op.f('fk_invitations_school_id_schools'), ondelete='CASCADE',
        ),
        sa.ForeignKeyConstraint(
            ['class_id'], ['classes.id'],
            name=op.f('fk_invitations_class_id_classes'), ondelete='CASCADE',
        ),
        sa.ForeignKeyConstraint(
            ['made_by'], ['adults.id'],
            name=op.f('fk_invitations_made_by_adults'), ondelete='CASCADE',
        ),
        sa.ForeignKeyConstraint(
            ['used_by'], ['adults.id'],
            name=op.f('fk_invitations_used_by_adults'), ondelete='SET NULL',
        ),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_invitations')),
        sa.UniqueConstraint('code_hash', name=op.f('uq_invitations_code_hash')),
        sqlite_autoincrement=True,
    )
    for column in ('school_id', 'class_id', 'made_by', 'used_by'):
        op.create_index(op.f(f'ix_invitations_{column}'), 'invitations', [column])
    op.execute(
        "UPDATE adults SET role = 'admin' WHERE id IN ("
        "SELECT MIN(id) FROM adults WHERE role = 'teacher' AND school_id NOT IN ("
        "SELECT school_id FROM adults WHERE role = 'admin') GROUP BY school_id)"
    )


def downgrade():
    op.execute("UPDATE adults SET role = 'teacher' WHERE role = 'admin'")
    op.execute("DELETE FROM adults WHERE role = 'substitute'")
    op.drop_table('invitations')
    op.drop_column('class_teachers', 'since')
    op.drop_column('adults', 'role_since')
    op.drop_column('adults', 'ends_at')
