"""The phases of research: ``understand``, ``plan``, ``dig``, ``validate``, ``write`` and ``attribute``, and what they
use.

Digging also follows references: ``mentions`` finds them, ``gate`` decides on each, ``follow`` opens the places. Both
it and ``dig`` read by ``reading_units`` and ``extraction``. No module here knows the events or the context of the
workflow.
"""
