"""How hypothesis finds examples: the same ones in every run, or new ones where a run asks for them.

``--hypothesis-profile=search --hypothesis-seed=SEED`` asks for them, as the weekly workflow does.
"""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, database=None, deadline=None, print_blob=True)
settings.register_profile("search", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fixed")
