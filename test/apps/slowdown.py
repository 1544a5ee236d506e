"""How many times slower than a plain build the program under test may be: STICTION_TEST_SLOWDOWN, 1 unless given.

CMake sets it for builds with sanitizers. Every limit of time that a test sets is multiplied by it.
"""

import os

SLOWDOWN = float(os.environ.get("STICTION_TEST_SLOWDOWN", "1"))
