"""Tables, figures and the page."""

import os

# A notebook names its own backend, which need not be installed here; matplotlib would refuse to load.
os.environ.pop("MPLBACKEND", None)
