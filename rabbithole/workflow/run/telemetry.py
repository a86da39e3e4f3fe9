"""OpenTelemetry spans of the workflows' steps, only if the user has configured an exporter.

Spans come from LlamaIndex's instrumentation. They carry step names and times, but no text of questions or documents.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.span import BaseSpan
from llama_index_instrumentation.span_handlers import BaseSpanHandler
from pydantic import PrivateAttr

from rabbithole.kb.errors import UsageError

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class StepSpan(BaseSpan):
    """One running step and its OpenTelemetry span."""

    span: Any = None


class StepSpans(BaseSpanHandler[StepSpan]):
    """Passes the spans of LlamaIndex's instrumentation on to OpenTelemetry."""

    _tracer: Any = PrivateAttr()

    def __init__(self, tracer: Tracer) -> None:
        super().__init__()
        self._tracer = tracer

    def new_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any = None,
        parent_span_id: str | None = None,
        tags: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> StepSpan:
        parent = self.open_spans.get(parent_span_id or "")
        trace = import_module("opentelemetry.trace")  # installed, since there is a tracer
        context = trace.set_span_in_context(parent.span) if parent else None
        name = id_.rsplit("-", 5)[0]  # the name of the step without the unique suffix
        return StepSpan(id_=id_, parent_id=parent_span_id, span=self._tracer.start_span(name, context=context))

    def prepare_to_exit_span(
        self, id_: str, bound_args: inspect.BoundArguments, instance: Any = None, result: Any = None, **kwargs: Any
    ) -> StepSpan | None:
        return self._ended(id_, None)

    def prepare_to_drop_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any = None,
        err: BaseException | None = None,
        **kwargs: Any,
    ) -> StepSpan | None:
        return self._ended(id_, err)

    def _ended(self, id_: str, error: BaseException | None) -> StepSpan | None:
        found = self.open_spans.get(id_)
        if found is not None:
            span: Span = found.span
            if error is not None:
                span.set_attribute("error.type", type(error).__name__)
            span.end()
        return found


def install(provider: TracerProvider) -> StepSpans:
    """Send the spans of every step in this process to ``provider`` from now on."""
    handler = StepSpans(provider.get_tracer("rabbithole"))
    get_dispatcher().add_span_handler(handler)
    return handler


def wanted(environment: Mapping[str, str]) -> bool:
    """Return whether OpenTelemetry's own environment variables configure an exporter."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true" or environment.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    return any(environment.get(name) for name in ENDPOINTS)


@lru_cache(maxsize=1)
def install_if_configured() -> bool:
    """Install the exporter once per process if one is configured; return whether it is.

    Raises ``UsageError`` if one is configured but OpenTelemetry is not installed.
    """
    if not wanted(os.environ):
        return False
    try:
        sdk, export, otlp, resources = map(
            import_module,
            (
                "opentelemetry.sdk.trace",
                "opentelemetry.sdk.trace.export",
                "opentelemetry.exporter.otlp.proto.http.trace_exporter",
                "opentelemetry.sdk.resources",
            ),
        )
    except ImportError as error:
        raise UsageError(
            "An OpenTelemetry exporter is configured, but its packages are missing: install rabbithole[telemetry], or "
            "unset OTEL_EXPORTER_OTLP_ENDPOINT."
        ) from error
    provider = sdk.TracerProvider(resource=resources.Resource.create({"service.name": "rabbithole"}))
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    install(provider)
    return True
