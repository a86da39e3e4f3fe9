"""The look-up of the documents that a name may mean: its stages, and how two keys are compared."""
