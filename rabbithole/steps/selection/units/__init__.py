"""The units of text that people read as one: how sections are split into them, and what stands around them."""
