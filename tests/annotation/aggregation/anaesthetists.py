"""The example of Dawid & Skene (1979): 45 patients, classed 1 to 4 by five anaesthetists.

Each string is one patient: the first anaesthetist's three answers, then one of each other's.
"""

import numpy as np

from annotation.aggregation.dawid_skene import Votes

ANSWERS = """
    1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343
    1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222
    1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343
    2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""
TABLE = ANSWERS.split()
PEOPLE = (0, 0, 0, 1, 2, 3, 4)


def votes() -> Votes:
    """Return the table as votes of five people on 45 posts for four labels."""
    return Votes(
        posts=np.repeat(np.arange(len(TABLE)), len(PEOPLE)),
        people=np.tile(np.array(PEOPLE), len(TABLE)),
        labels=np.array([int(answer) - 1 for patient in TABLE for answer in patient]),
    )
