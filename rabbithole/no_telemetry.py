"""Switches off the telemetry of libraries. Imported before any other module of the package.

It sets environment variables, because C++ libraries read nothing else and child processes inherit them. It imports only
the standard library.
"""

from __future__ import annotations

import os

# ONNX Runtime (used by PyMuPDF's layout model and the encoders) sends events with a device id to a Microsoft host.
# Chroma, Hugging Face's libraries and Traceloop (which comes with Chainlit) have their own switches.
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

# Defaults the user may override, to fetch a model by name.
UNLESS_SET = {"HF_HUB_OFFLINE": "1"}

os.environ.update(OFF)
for variable, value in UNLESS_SET.items():
    os.environ.setdefault(variable, value)
