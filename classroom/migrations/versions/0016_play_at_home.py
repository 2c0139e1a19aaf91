"""Allow play at home."""

import sqlalchemy as sa
from alembic import op


revision = '0016'
down_revision = '0015'
branch_labels = None
depends_on = None

OPENED = (('home_id', 'children'), ('home_by', 'adults'))
AT_HOME = ('matches', 'evidence', 'child_rounds')


def upgrade():
    op.add_column(
        'classes', sa.Column('home_on', sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column(
        'classes', sa.Column('home_from', sa.Integer(), server_default='900', nullable=False)
    )
    op.add_column(
        'classes', sa.Column('home_until', sa.Integer(), server_default='1140', nullable=False)
    )
    op.add_column(
        'classes', sa.Column('home_counts', sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    for table in AT_HOME:
        op.add_column(
            table, sa.Column('at_home', sa.Boolean(), server_default=sa.false(), nullable=False)
        )
    op.create_index(
        'ix_evidence_at_home', 'evidence', ['child_id'],
        sqlite_where=sa.text('at_home IS 1'), postgresql_where=sa.text('at_home IS true'),
    )
    op.create_table(
        'recounts',
        sa.Column('child_id', sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(['child_id'], ['children.id'], ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('child_id'),
    )
    with op.batch_alter_table('sessions') as batch:  # no table refers to this one
        for name, other in OPENED:
            batch.add_column(sa.Column(name, sa.Integer(), nullable=True))
            batch.create_foreign_key(
                f'fk_sessions_{name}_{other}', other, [name], ['id'], ondelete='CASCADE'
            )


def downgrade():
    with op.batch_alter_table('sessions') as batch:
        for name, other in OPENED:
            batch.drop_constraint(f'fk_sessions_{name}_{other}', type_='foreignkey')
            batch.drop_column(name)
    op.drop_table('recounts')
    op.drop_index('ix_evidence_at_home', 'evidence')
    for table in AT_HOME:
        op.drop_column(table, 'at_home')
    for name in ('home_counts', 'home_until', 'home_from', 'home_on'):
        op.drop_column('classes', name)
