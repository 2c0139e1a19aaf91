"""One table for the choices of the school, of teachers and of families."""

import sqlalchemy as sa
from alembic import op


revision = '0025'
down_revision = '0024'
branch_labels = None
depends_on = None

PLAY = ('opponents', 'level', 'deck', 'board', 'hints', 'pace', 'voice')
QUESTIONS = ('questions', 'question_skills', 'number_low', 'number_high')
SIGNED = {name: name for name in ('play_by', 'play_at', 'questions_by', 'questions_at')}


def upgrade():
    op.create_table(
        'choices',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('whose', sa.String(length=8), nullable=False),
        *_owner('school_id', 'schools'),
        *_owner('class_id', 'classes'),
        *_owner('group_id', 'child_groups'),
        sa.Column('child_id', sa.Integer()),
        sa.Column('opponents', sa.Integer()),
        sa.Column('level', sa.String(length=20)),
        sa.Column('deck', sa.String(length=20)),
        sa.Column('board', sa.String(length=8)),
        sa.Column('hints', sa.Boolean()),
        sa.Column('pace', sa.String(length=8)),
        sa.Column('voice', sa.Boolean()),
        sa.Column('questions', sa.String(length=12)),
        sa.Column('question_skills', sa.JSON(none_as_null=True)),
        sa.Column('number_low', sa.Integer()),
        sa.Column('number_high', sa.Integer()),
        sa.Column('focus', sa.JSON(none_as_null=True)),
        sa.Column('minutes_a_day', sa.Integer()),
        sa.Column('play_by', sa.Integer()),
        sa.Column('play_at', sa.Float()),
        sa.Column('questions_by', sa.Integer()),
        sa.Column('questions_at', sa.Float()),
        _refers('child_id', 'children', 'CASCADE'),
        _refers('play_by', 'adults', 'SET NULL'),
        _refers('questions_by', 'adults', 'SET NULL'),
        sa.PrimaryKeyConstraint('id', name='pk_choices'),
        sa.UniqueConstraint('child_id', 'whose', name='uq_choices_child_id_whose'),
    )
    asked = sa.column('questions').is_not(None)
    _move('schools', 'school', school_id='id')
    _move('class_settings', 'class', class_id='class_id', focus='focus', **SIGNED)
    _move('group_rules', 'group', group_id='group_id', **SIGNED)
    _move('child_rules', 'child', child_id='child_id', **SIGNED)
    _move(
        'child_settings',
        'family',
        child_id='child_id',
        minutes_a_day='minutes_a_day',
        play_by='set_by',
        play_at='set_at',
        questions_by=sa.case((asked, sa.column('set_by'))),
        questions_at=sa.case((asked, sa.column('set_at'))),
    )
    for table in ('group_rules', 'child_rules', 'child_settings'):
        op.drop_table(table)
    for column in PLAY + QUESTIONS:
        op.drop_column('schools', column)
    with op.batch_alter_table('class_settings') as batch:  # nothing refers to it
        for column in (*PLAY, *QUESTIONS, 'focus', *SIGNED):
            batch.drop_column(column)


def downgrade():
    raise NotImplementedError('a copy of the database is made before each migration')


def _owner(column, table):
    return (
        sa.Column(column, sa.Integer()),
        _refers(column, table, 'CASCADE'),
        sa.UniqueConstraint(column, name=f'uq_choices_{column}'),
    )


def _refers(column, table, then):
    return sa.ForeignKeyConstraint(
        [column], [f'{table}.id'], name=f'fk_choices_{column}_{table}', ondelete=then
    )


def _move(table, whose, **more):
    """Copy the choices of a table, if any were made. `more`: other columns of `choices`, each with
    its column there."""
    columns = {name: name for name in PLAY + QUESTIONS} | more
    found = {
        name: sa.column(value) if isinstance(value, str) else value
        for name, value in columns.items()
    }
    chosen = [found[name].is_not(None) for name in found if not name.endswith(('_id', '_by', '_at'))]
    op.execute(
        sa.insert(sa.table('choices', *map(sa.column, ('whose', *found)))).from_select(
            ('whose', *found),
            sa.select(sa.literal_column(f"'{whose}'"), *found.values())
            .select_from(sa.table(table))
            .where(sa.or_(*chosen)),
        )
    )
