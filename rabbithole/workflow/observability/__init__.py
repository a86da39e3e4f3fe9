"""Diagnosis and observation: doctor, telemetry, state dumps, diagrams of flows and runs.

Nothing here changes a run.
"""
