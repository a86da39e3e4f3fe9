"""The decisions of the answer workflow: search, select one result, look at the outline, read one section.

The flow that calls them is ``workflow/answer.py``. ``selection`` here says what may be read; which sentences answer a
question is decided in ``steps/selection``, and the answer is made of them in ``steps/response``.
"""
