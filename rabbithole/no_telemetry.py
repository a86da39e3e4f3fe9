"""Switches off what libraries report to their makers. Imported before any other module of the package.

Environment variables, because libraries in C++ read nothing else, and because processes started later inherit them.
Standard library only.
"""

from __future__ import annotations

import os

# ONNX Runtime (PyMuPDF's layout model, encoders) queues events with a device id and looks up a host of Microsoft's.
# Chroma, Hugging Face's libraries and Traceloop (which comes with Chainlit) have switches of their own.
OFF = {
    "ANONYMIZED_TELEMETRY": "False",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "TRACELOOP_METRICS_ENABLED": "false",
    "TRACELOOP_TELEMETRY": "false",
    "TRACELOOP_TRACING_ENABLED": "false",
}

# What a person may set otherwise: fetching a model by name.
UNLESS_SET = {"HF_HUB_OFFLINE": "1"}

os.environ.update(OFF)
for variable, value in UNLESS_SET.items():
    os.environ.setdefault(variable, value)
