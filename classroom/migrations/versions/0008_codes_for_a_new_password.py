"""Add codes for a new password, and an index of audit rows by the child or class concerned."""

import sqlalchemy as sa
from alembic import op


revision = '0008'
down_revision = '0007'
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        'password_resets',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('adult_id', sa.Integer(), nullable=False),
        sa.Column('code_hash', sa.String(length=64), nullable=False),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('ends_at', sa.Float(), nullable=False),
        sa.Column('used_at', sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ['adult_id'],
            ['adults.id'],
            name='fk_password_resets_adult_id_adults',
            ondelete='CASCADE',
        ),
        sa.PrimaryKeyConstraint('id', name='pk_password_resets'),
        sa.UniqueConstraint('code_hash', name='uq_password_resets_code_hash'),
        sqlite_autoincrement=True,
    )
    op.create_index('ix_password_resets_adult_id', 'password_resets', ['adult_id'])
    op.create_index('ix_audit_thing', 'audit', ['thing', 'thing_id'])


def downgrade():
    op.drop_index('ix_audit_thing', table_name='audit')
    op.drop_table('password_resets')
