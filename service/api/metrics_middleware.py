"""Counts and times requests, and writes one line of log for each."""

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.operations.metrics import Metrics

logger = logging.getLogger("looksy.requests")


class MetricsMiddleware:
    """
    Count each request by route and status, time it, and log it. What users ask is not in the log.

    :param metrics: Where to count.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        finally:
            seconds = time.perf_counter() - started
            route, method = route_of(scope), method_of(scope)
            self.metrics.count("looksy_requests_total", route=route, method=method, status=str(status))
            self.metrics.observe("looksy_request_seconds", seconds, route=route)
            logger.info(
                "request",
                extra={
                    "route": route,
                    "method": method,
                    "status": status,
                    "milliseconds": round(seconds * 1000, 1),
                },
            )


def route_of(scope: Scope) -> str:
    """Return the pattern of the route that answered, never the address as it was typed; none: there is none."""
    return str(getattr(scope.get("route"), "path", "none"))


def method_of(scope: Scope) -> str:
    """Return the method, or other: clients can send any word."""
    known = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}
    return str(scope["method"]) if scope["method"] in known else "other"
