"""The chat's runs and conversations: started, answered, stored, restored.

How they look is in ``view``.
"""
