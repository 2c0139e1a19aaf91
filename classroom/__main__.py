"""`python -m classroom COMMAND ...`"""

import sys

from classroom.cli import main
from classroom.launcher import quietly

sys.exit(quietly(main))
