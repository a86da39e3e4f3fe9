"""Words of the same meaning, by a thesaurus that comes with the package."""
