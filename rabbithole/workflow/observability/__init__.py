"""Looking at the product from outside: doctor, telemetry, pictures of the flow, traces.

Nothing here changes a run.
"""
