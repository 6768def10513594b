"""Verification of webhooks: whether a delivery is genuine and fresh."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any


class WebhookSignatureError(Exception):
    """A delivery that is not genuine; the text is the reason."""


def verify_webhook(
    raw_body: bytes | bytearray | memoryview | str,
    signature: str | None,
    secret: str,
    *,
    tolerance_seconds: int = 300,
    now: float | None = None,
) -> dict[str, Any]:
    """Returns the event of a delivery; raises WebhookSignatureError for one that is not genuine or not fresh.

    raw_body: the bytes as received; a body that was parsed and serialised again has another signature.
    signature: the value of the header ``Service-Signature``; None, where it is missing, is refused.
    secret: the secret of the endpoint, as the API showed it.
    tolerance_seconds: the largest difference between the time of a delivery and ours, in either direction.
    now: seconds since 1970; for tests.
    """
    if isinstance(raw_body, str):
        body = raw_body.encode()
    elif isinstance(raw_body, (bytes, bytearray, memoryview)):
        body = bytes(raw_body)
    else:
        raise WebhookSignatureError(
            f"raw_body is a {type(raw_body).__name__}: pass the body as it was received, before anything parses it"
        )
    if not secret:
        raise WebhookSignatureError("the secret is empty")
    sent_at, signatures = _parse(signature or "")
    wanted = hmac.new(secret.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    # Every signature is compared, so that the time taken does not reveal which of them was right.
    matches = [hmac.compare_digest(wanted, given.encode()) for given in signatures]
    if not any(matches):
        raise WebhookSignatureError("no signature fits the body and the secret")
    if abs((time.time() if now is None else now) - int(sent_at)) > tolerance_seconds:
        raise WebhookSignatureError("the delivery is too old or from the future")
    event: dict[str, Any] = json.loads(body)
    return event


def _parse(header: str) -> tuple[str, list[str]]:
    """Returns the time, as it is written, and the signatures of the header."""
    if not header:
        raise WebhookSignatureError("the header Service-Signature is missing")
    pairs = [part.strip().split("=", 1) for part in header.split(",")]
    times = [value for name, *rest in pairs if name == "t" for value in rest]
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]):
        raise WebhookSignatureError(
            "the signature has no time, or several: "
            'pass the header Service-Signature, "t=<seconds>,v1=<hex>", and no other'
        )
    return times[0], [value for name, *rest in pairs if name == "v1" for value in rest]
