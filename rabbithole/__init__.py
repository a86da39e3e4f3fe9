"""Rabbithole: deep research over your own documents that follows the references it finds.

``kb`` is what is known, ``steps`` what is done, ``workflow`` how it flows; imports go from the last to the first.
"""

from . import no_telemetry as no_telemetry  # before any library is imported
