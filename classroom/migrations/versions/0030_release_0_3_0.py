"""Changes the tables of release 0.2.0 into those of release 0.3.0.

Each function handles one subject. Until 0.3.0 is released, a new table or column is added in the
function of its subject.
"""

import sqlalchemy as sa
from alembic import op


revision = '0030'
down_revision = '0003'

PERIODS = {'keep_moves': '90', 'keep_archived': '60', 'keep_audit': '365', 'keep_copies': '35'}


def upgrade():
    _schools()
    _colleagues()
    _classes()
    _year()
    _groups_and_plan()
    _at_home()
    _tables_in_play()
    _choices()
    _learning()
    _voices()


# ---- The school


def _schools():
    """A school's time zone, formats and periods for keeping data, and the key of the database."""
    op.add_column('schools', sa.Column('time_zone', sa.String(64)))
    _add('schools', 'dates', sa.String(12), 'day_first')
    _add('schools', 'words', sa.String(12), 'en_GB')
    _add('schools', 'standards', sa.String(12), 'common_core')
    _add('schools', 'paper', sa.String(8), 'a4')
    _add('schools', 'year_end', sa.String(5), '07-31')
    for name, days in PERIODS.items():
        _add('schools', name, sa.Integer(), days)
    op.create_table(
        'installations',
        sa.Column('id', sa.Integer(), primary_key=True),
        sa.Column('key_print', sa.String(64), nullable=False),
        sqlite_autoincrement=True,
    )


def _colleagues():
    """Invitations, accounts that end, second factors, and codes for a new password. In a school
    without an administrator, the teacher with the lowest id becomes one."""
    op.add_column('adults', sa.Column('ends_at', sa.Float()))
    _add('adults', 'role_since', sa.Float(), '0')
    _add('class_teachers', 'since', sa.Float(), '0')
    op.execute(
        "UPDATE adults SET role = 'admin' WHERE id IN ("
        "SELECT MIN(id) FROM adults WHERE role = 'teacher' AND school_id NOT IN ("
        "SELECT school_id FROM adults WHERE role = 'admin') GROUP BY school_id)"
    )
    op.create_table(
        'invitations',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('school_id', 'schools', nullable=False, index=True),
        sa.Column('role', sa.String(10), nullable=False),
        _of('class_id', 'classes', index=True),
        sa.Column('code_hash', sa.String(64), nullable=False, unique=True),
        _of('made_by', 'adults', nullable=False, index=True),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('ends_at', sa.Float(), nullable=False),
        sa.Column('account_ends_at', sa.Float()),
        sa.Column('used_at', sa.Float()),
        _of('used_by', 'adults', 'SET NULL', index=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'password_resets',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('adult_id', 'adults', nullable=False, index=True),
        sa.Column('code_hash', sa.String(64), nullable=False, unique=True),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('ends_at', sa.Float(), nullable=False),
        sa.Column('used_at', sa.Float()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'second_factors',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('adult_id', 'adults', nullable=False, index=True),
        sa.Column('kind', sa.String(4), nullable=False),
        sa.Column('name', sa.String(40), nullable=False),
        sa.Column('word', sa.String(32), nullable=False),
        sa.Column('credential', sa.String(1400), nullable=False),
        sa.Column('public_key', sa.String(2000), nullable=False),
        sa.Column('last_step', sa.BigInteger(), nullable=False),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('last_at', sa.Float()),
        sqlite_autoincrement=True,
    )
    op.create_index('ix_audit_thing', 'audit', ['thing', 'thing_id'])


# ---- Classes


def _classes():
    """A class's end, code and lesson, ids from the school's own system, languages, and notes."""
    op.add_column('classes', sa.Column('code_made_at', sa.Float()))
    op.add_column('classes', sa.Column('ends_day', sa.Integer()))
    op.add_column('classes', sa.Column('archived_at', sa.Float()))
    op.add_column('classes', sa.Column('outline', sa.String(20)))
    _add('classes', 'outline_on', sa.Boolean(), sa.false())
    op.add_column('classes', sa.Column('sourced_id', sa.String(255)))
    op.add_column('children', sa.Column('sourced_id', sa.String(255)))
    op.create_index('ix_children_sourced_id', 'children', ['sourced_id'])
    op.add_column('children', sa.Column('language', sa.String(2)))
    op.add_column('adults', sa.Column('language', sa.String(2)))
    op.create_table(
        'child_notes',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('child_id', 'children', nullable=False, index=True),
        _of('by', 'adults', 'SET NULL'),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('text', sa.String(500), nullable=False),
        sqlite_autoincrement=True,
    )


def _year():
    """Changes of the children in classes, such as for a new school year, which can be undone."""
    op.create_table(
        'year_changes',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('school_id', 'schools', nullable=False, index=True),
        _of('by', 'adults', 'SET NULL'),
        sa.Column('at', sa.Float(), nullable=False),
        sa.Column('made', sa.JSON(), nullable=False),
        sa.Column('archived', sa.JSON(), nullable=False),
        sa.Column('ends', sa.JSON(), nullable=False),
        sa.Column('what', sa.String(8), nullable=False, server_default='year'),
        sa.Column('given', sa.JSON()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'year_moves',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('change_id', 'year_changes', nullable=False, index=True),
        _of('child_id', 'children', nullable=False, index=True),
        _of('from_class', 'classes', 'SET NULL'),
        _of('to_class', 'classes', 'SET NULL'),
        sa.Column('name', sa.String(30), nullable=False),
        sa.Column('animal', sa.String(12), nullable=False),
        sa.Column('pad', sa.Integer(), nullable=False),
        sa.Column('age_band', sa.String(4), nullable=False),
        sa.Column('new_card', sa.Boolean(), nullable=False),
        sqlite_autoincrement=True,
    )


def _groups_and_plan():
    """Groups in a class, the plan for its next lesson, and its small group of the week."""
    op.create_table(
        'child_groups',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('class_id', 'classes', nullable=False, index=True),
        sa.Column('name', sa.String(30), nullable=False),
        sa.Column('created_at', sa.Float(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'group_members',
        _of('child_id', 'children', primary_key=True),
        _of('group_id', 'child_groups', nullable=False, index=True),
    )
    op.create_table(
        'planned_tables',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('class_id', 'classes', nullable=False, index=True),
        sa.Column('game', sa.String(40), nullable=False),
        sa.Column('number_low', sa.Integer()),
        sa.Column('number_high', sa.Integer()),
        sa.Column('shared', sa.Boolean(), nullable=False, server_default=sa.false()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'planned_seats',
        _of('child_id', 'children', primary_key=True),
        _of('table_id', 'planned_tables', nullable=False, index=True),
    )
    op.create_table(
        'small_groups',
        _of('child_id', 'children', primary_key=True),
        _of('class_id', 'classes', nullable=False, index=True),
        sa.Column('strand', sa.String(10), nullable=False),
        sa.Column('day', sa.Integer(), nullable=False),
    )


# ---- Play


def _at_home():
    """Play at home, and play of several children at one tablet of the class."""
    _add('classes', 'home_on', sa.Boolean(), sa.false())
    _add('classes', 'home_from', sa.Integer(), '900')
    _add('classes', 'home_until', sa.Integer(), '1140')
    _add('classes', 'home_weekend', sa.String(8), 'same')
    _add('classes', 'home_weekend_from', sa.Integer(), '600')
    _add('classes', 'home_weekend_until', sa.Integer(), '1140')
    _add('classes', 'home_counts', sa.Boolean(), sa.false())
    for table in ('matches', 'evidence', 'child_rounds'):
        _add(table, 'at_home', sa.Boolean(), sa.false())
    _add('matches', 'shared', sa.Boolean(), sa.false())
    op.create_index(
        'ix_evidence_at_home', 'evidence', ['child_id'],
        sqlite_where=sa.text('at_home IS 1'), postgresql_where=sa.text('at_home IS true'),
    )
    numbered = {'sqlite_autoincrement': True}
    # A batch is safe for this table, because no other table refers to its rows.
    with op.batch_alter_table('sessions', table_kwargs=numbered) as batch:
        for name, other in (('home_id', 'children'), ('home_by', 'adults')):
            batch.add_column(sa.Column(name, sa.Integer()))
            batch.create_foreign_key(
                f'fk_sessions_{name}_{other}', other, [name], ['id'], ondelete='CASCADE'
            )
        batch.add_column(sa.Column('match_id', sa.Integer()))
        batch.add_column(sa.Column('shown', sa.Integer()))
        batch.add_column(sa.Column('invited_by', sa.Integer()))
        batch.add_column(sa.Column('invited_at', sa.Float()))
        batch.create_foreign_key(
            'fk_sessions_invited_by_children', 'children', ['invited_by'], ['id'],
            ondelete='SET NULL',
        )
        batch.create_unique_constraint('uq_sessions_match_id', ['match_id'])
        batch.create_foreign_key(
            'fk_sessions_match_id_matches', 'matches', ['match_id'], ['id'], ondelete='SET NULL'
        )


def _tables_in_play():
    """The pace and the numbers of a table, the facts that hints showed, the books that children
    laid, and moments that are dealt to a class."""
    op.add_column('gatherings', sa.Column('until', sa.Float()))
    op.add_column('gatherings', sa.Column('number_low', sa.Integer()))
    op.add_column('gatherings', sa.Column('number_high', sa.Integer()))
    _add('gatherings', 'shared', sa.Boolean(), sa.false())
    _add('matches', 'moment', sa.Boolean(), sa.false())
    _add('players', 'pace', sa.String(8), 'usual')
    _add('players', 'gone', sa.Boolean(), sa.false())
    op.add_column('help_taken', sa.Column('about', sa.JSON(none_as_null=True)))
    op.add_column('child_rounds', sa.Column('made', sa.JSON(none_as_null=True)))
    op.create_table(
        'moments',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('class_id', 'classes', nullable=False, index=True),
        _of('round_id', 'rounds', 'SET NULL', index=True),
        sa.Column('header', sa.JSON(), nullable=False),
        sa.Column('moves', sa.JSON(), nullable=False),
        sa.Column('look', sa.String(12), nullable=False),
        sa.Column('faces', sa.JSON(), nullable=False),
        sa.Column('made_at', sa.Float(), nullable=False),
        sa.Column('dealt_at', sa.Float()),
        sa.Column('shown_at', sa.Float()),
        sa.Column('open', sa.Boolean(), nullable=False),
        sa.Column('plays_on', sa.Boolean(), nullable=False, server_default=sa.false()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'moment_answers',
        _of('child_id', 'children', primary_key=True),
        _of('moment_id', 'moments', primary_key=True, index=True),
        sa.Column('ask', sa.JSON(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
    )


def _choices():
    """One table for the choices at all levels. The choices of families and classes are copied into
    it, but not the default settings for questions in 0.2.0, which no class had chosen."""
    op.create_table(
        'choices',
        sa.Column('id', sa.Integer(), primary_key=True),
        sa.Column('whose', sa.String(8), nullable=False),
        _of('school_id', 'schools', unique=True),
        _of('class_id', 'classes', unique=True),
        _of('group_id', 'child_groups', unique=True),
        _of('child_id', 'children'),
        sa.Column('opponents', sa.Integer()),
        sa.Column('level', sa.String(20)),
        sa.Column('deck', sa.String(20)),
        sa.Column('board', sa.String(8)),
        sa.Column('hints', sa.Boolean()),
        sa.Column('pace', sa.String(8)),
        sa.Column('voice', sa.Boolean()),
        sa.Column('lit', sa.Boolean()),
        sa.Column('switch', sa.String(8)),
        sa.Column('questions', sa.String(12)),
        sa.Column('question_skills', sa.JSON(none_as_null=True)),
        sa.Column('number_low', sa.Integer()),
        sa.Column('number_high', sa.Integer()),
        sa.Column('focus', sa.JSON(none_as_null=True)),
        sa.Column('minutes_a_day', sa.Integer()),
        _of('play_by', 'adults', 'SET NULL'),
        sa.Column('play_at', sa.Float()),
        _of('questions_by', 'adults', 'SET NULL'),
        sa.Column('questions_at', sa.Float()),
        sa.UniqueConstraint('child_id', 'whose'),
        sqlite_autoincrement=True,
    )
    op.execute(
        'INSERT INTO choices (whose, class_id, questions, question_skills, number_low, number_high,'
        " questions_by, questions_at) SELECT 'class', class_id, questions, question_skills,"
        ' number_low, number_high, set_by, set_at FROM class_settings'
        " WHERE NOT (questions = 'sometimes' AND question_skills IS NULL"
        ' AND number_low = 0 AND number_high = 52)'
    )
    op.execute(
        'INSERT INTO choices (whose, child_id, opponents, level, deck, board, hints, minutes_a_day,'
        ' play_by, play_at, questions, question_skills, number_low, number_high, questions_by,'
        " questions_at) SELECT 'family', child_id, opponents, level, deck, board, hints,"
        ' minutes_a_day, set_by, set_at, questions, question_skills, number_low, number_high,'
        ' CASE WHEN questions IS NOT NULL THEN set_by END,'
        ' CASE WHEN questions IS NOT NULL THEN set_at END FROM child_settings'
    )
    op.drop_table('child_settings')
    with op.batch_alter_table('class_settings') as batch:  # no other table refers to its rows
        for column in ('questions', 'question_skills', 'number_low', 'number_high'):
            batch.drop_column(column)
        batch.add_column(sa.Column('standards', sa.String(12)))
        batch.add_column(sa.Column('talk', sa.String(8)))


# ---- Learning


def _learning():
    """Levels by strand, and restrictions. The worker counts all answers again; until then, pages
    count the rows themselves."""
    op.create_table(
        'strand_tracks',
        _of('child_id', 'children', primary_key=True),
        sa.Column('strand', sa.String(10), primary_key=True),
        sa.Column('track', sa.JSON(), nullable=False),
    )
    op.create_table(
        'recounts',
        _of('child_id', 'children', primary_key=True),
    )
    op.create_table(
        'restrictions',
        _of('child_id', 'children', primary_key=True),
        sa.Column('whose', sa.String(8), primary_key=True),
        sa.Column('reason', sa.String(12), nullable=False),
        _of('by', 'adults', 'SET NULL'),
        sa.Column('since', sa.Float(), nullable=False),
    )
    op.drop_table('tallies')
    op.execute('DELETE FROM skill_windows')
    op.execute('UPDATE evidence SET counted = false')


# ---- Voices


def _voices():
    """Recordings that adults made for a class or for the school."""
    op.create_table(
        'voice_packs',
        sa.Column('id', sa.Integer(), primary_key=True),
        _of('school_id', 'schools', nullable=False),
        _of('class_id', 'classes', index=True),
        _of('adult_id', 'adults', nullable=False),
        sa.Column('language', sa.String(8), nullable=False),
        sa.Column('role', sa.String(10), nullable=False),
        sa.Column('licence', sa.String(10), nullable=False),
        sa.Column('created_at', sa.Float(), nullable=False),
        sa.Column('agreed_at', sa.Float()),
        sa.Column('changes', sa.Integer(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        'voice_pieces',
        _of('pack_id', 'voice_packs', primary_key=True),
        sa.Column('name', sa.String(80), primary_key=True),
        sa.Column('words', sa.String(200), nullable=False),
        sa.Column('sound', sa.LargeBinary(), nullable=False),
        sa.Column('loudness', sa.Float(), nullable=False),
        sa.Column('ms', sa.Integer(), nullable=False),
        sa.Column('at', sa.Float(), nullable=False),
    )


# ---- Helpers


def _add(table, column, kind, usual):
    """Add a NOT NULL column without a batch. In a batch on SQLite the table is copied, and dropping
    the old table would delete all rows that refer to it."""
    op.add_column(table, sa.Column(column, kind, nullable=False, server_default=usual))


def _of(column, table, then='CASCADE', **more):
    return sa.Column(column, sa.Integer(), sa.ForeignKey(f'{table}.id', ondelete=then), **more)
