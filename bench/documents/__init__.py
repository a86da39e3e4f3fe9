"""Reading documents: outlines, formats, speed, drafts."""
