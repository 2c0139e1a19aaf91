"""Keep choices for a school, a class and a child, and each school's time zone, words and paper."""

import sqlalchemy as sa
from alembic import op


revision = '0011'
down_revision = '0010'
branch_labels = None
depends_on = None


def upgrade():
    for column in [*_play(), *_questions(), *_place()]:
        op.add_column('schools', column)
    op.create_table(
        'child_rules',
        sa.Column(
            'child_id',
            sa.Integer(),
            sa.ForeignKey(
                'children.id', ondelete='CASCADE', name='fk_child_rules_child_id_children'
            ),
            nullable=False,
        ),
        *_play(),
        *_questions(),
        *_signed('child_rules'),
        sa.PrimaryKeyConstraint('child_id', name='pk_child_rules'),
    )
    # No other table refers to these two, so SQLite may copy them without losing a row.
    _change('child_settings', ('opponents', 'level', 'deck', 'board', 'hints'), ())
    _change(
        'class_settings',
        ('questions', 'number_low', 'number_high', 'standards'),
        [*_play(), *_signed('class_settings')],
    )
    op.execute(
        'UPDATE class_settings SET questions = NULL, number_low = NULL, number_high = NULL '
        "WHERE questions = 'sometimes' AND question_skills IS NULL "
        'AND number_low = 0 AND number_high = 52'
    )
    op.execute(
        'UPDATE class_settings SET questions_by = set_by, questions_at = set_at '
        'WHERE questions IS NOT NULL'
    )
    op.execute("UPDATE class_settings SET standards = NULL WHERE standards = 'common_core'")


def downgrade():
    raise NotImplementedError('a copy of the database is made before each migration')


def _play():
    return [
        sa.Column('opponents', sa.Integer()),
        sa.Column('level', sa.String(length=20)),
        sa.Column('deck', sa.String(length=20)),
        sa.Column('board', sa.String(length=8)),
        sa.Column('hints', sa.Boolean()),
    ]


def _questions():
    return [
        sa.Column('questions', sa.String(length=12)),
        sa.Column('question_skills', sa.JSON(none_as_null=True)),
        sa.Column('number_low', sa.Integer()),
        sa.Column('number_high', sa.Integer()),
    ]


def _place():
    return [
        sa.Column('time_zone', sa.String(length=64)),
        sa.Column('dates', sa.String(length=12), nullable=False, server_default='day_first'),
        sa.Column('words', sa.String(length=12), nullable=False, server_default='en_GB'),
        sa.Column('standards', sa.String(length=12), nullable=False, server_default='common_core'),
        sa.Column('paper', sa.String(length=8), nullable=False, server_default='a4'),
    ]


def _signed(table):
    return [
        sa.Column('play_by', sa.Integer(), _adult(table, 'play_by')),
        sa.Column('play_at', sa.Float()),
        sa.Column('questions_by', sa.Integer(), _adult(table, 'questions_by')),
        sa.Column('questions_at', sa.Float()),
    ]


def _adult(table, column):
    return sa.ForeignKey('adults.id', ondelete='SET NULL', name=f'fk_{table}_{column}_adults')


def _change(table, optional, new):
    with op.batch_alter_table(table) as batch:
        for column in optional:
            batch.alter_column(column, nullable=True, server_default=None)
        for column in new:
            batch.add_column(column)
