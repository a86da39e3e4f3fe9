"""How texts write numbers and days: Roman numerals, names of months; and spellings of words."""
