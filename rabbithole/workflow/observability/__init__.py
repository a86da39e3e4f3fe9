"""Diagnosis and observation: doctor, diagrams of flows and runs.

Nothing here changes a run.
"""
