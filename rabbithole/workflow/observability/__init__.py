"""Looking at the product from outside: doctor, telemetry, pictures of the flow.

Nothing here changes a run.
"""
