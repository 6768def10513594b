import random
import time
from collections.abc import Callable, Mapping, MutableSet
from datetime import datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar
from uuid import UUID

import httpx
from group_payments import AuthenticatedClient
from group_payments.api.group_payments import create_group_payment
from group_payments.api.payments import create_test_payment
from group_payments.api.test_clock import advance_test_clock, get_test_clock
from group_payments.api.webhooks import create_webhook, list_webhooks
from group_payments.models import (
    AdvanceTestClockRequest,
    CreateGroupPaymentRequest,
    CreateWebhookRequest,
    CustomDistribution,
    CustomSlot,
    ErrorResponse,
    EventType,
    GroupPaymentWithSlots,
    Payment,
    RefundResponse,
    TestCard,
    TestClock,
    TestClockState,
    TestPaymentRequest,
)
from group_payments.types import Response
from group_payments.webhooks import WebhookSignatureError, verify_webhook

T = TypeVar("T")


def send(request: Callable[[], Response[T]], tries: int = 12) -> T | None:
    """Sends a request until its answer is final, and returns that; raises what httpx raises where none comes.

    request is a call of sync_detailed that has the same idempotency_key and body each time. Twelve tries are longer
    than the minute for which the key of a request is taken whose server was killed.
    """
    for left in reversed(range(tries)):
        try:
            answer = request()
        except httpx.TransportError:
            if left == 0:
                raise
            wait = 1.0
        else:
            if left == 0 or not is_passing(answer):
                return answer.parsed
            wait = float(answer.headers.get("Retry-After", 1))
        time.sleep(wait * random.uniform(1, 1.5))
    return None


def is_passing(answer: Response[T]) -> bool:
    """Tells whether the same request may get another answer. A refund by which nothing was refunded is final."""
    error = answer.parsed if isinstance(answer.parsed, ErrorResponse) else None
    if error is not None and error.code in ("idempotency_key_in_use", "gateway_error"):
        return error.code == "idempotency_key_in_use"
    is_final = isinstance(answer.parsed, RefundResponse)
    return answer.status_code in (408, 429) or (answer.status_code >= 500 and not is_final)


def open_tab(
    client: AuthenticatedClient, order_id: str, dishes: dict[str, Decimal], expires_at: datetime
) -> GroupPaymentWithSlots | ErrorResponse | None:
    """Creates a group payment of slots of different prices, each with the name of its dish."""
    slots = [CustomSlot(amount=float(price), label=name) for name, price in dishes.items()]
    body = CreateGroupPaymentRequest(
        group_name="Dinner at Casa Lola",
        total_amount=float(sum(dishes.values())),
        currency="EUR",
        expires_at=expires_at,
        distribution=CustomDistribution(type_="custom", slots=slots),
        client_reference=order_id,
    )
    key = f"tab-{order_id}"
    return send(lambda: create_group_payment.sync_detailed(client=client, body=body, idempotency_key=key))


def pay_in_test_mode(client: AuthenticatedClient, id: UUID, slot: UUID, card: TestCard, key: str) -> Payment:
    """Pays a slot as a payer with a card of the sandbox does; state and failure of the payment tell what came of it."""
    body = TestPaymentRequest(customer_email="payer@example.com", slot_ids=[slot], card=card)
    answer = send(lambda: create_test_payment.sync_detailed(id, client=client, body=body, idempotency_key=key))
    if not isinstance(answer, Payment):
        raise RuntimeError(f"no payment was made: {answer}")
    return answer


def let_time_pass(client: AuthenticatedClient, seconds: int) -> None:
    """Moves the clock of test mode forward, and returns when all that fell due until then has happened."""
    advance_test_clock.sync(client=client, body=AdvanceTestClockRequest(seconds=seconds))
    while not (isinstance(clock := get_test_clock.sync(client=client), TestClock) and clock.state == TestClockState.SETTLED):
        time.sleep(0.2)


def register_endpoint(client: AuthenticatedClient, url: str) -> str | None:
    """Registers an endpoint and returns the secret of its signatures; None where it is registered already.

    create_webhook takes no idempotency_key and shows the secret once. Where its answer is lost, the endpoint is in
    the list all the same: roll_webhook_secret gives it a new secret.
    """
    listed = list_webhooks.sync(client=client)
    if listed is None or isinstance(listed, ErrorResponse):
        raise RuntimeError(f"no list: {listed}")
    if any(endpoint.url == url for endpoint in listed.webhook_endpoints):
        return None
    body = CreateWebhookRequest(url, event_types=[EventType.GROUP_PAYMENT_PAID, EventType.GROUP_PAYMENT_EXPIRED])
    made = create_webhook.sync(client=client, body=body)
    if made is None or isinstance(made, ErrorResponse):
        raise RuntimeError(f"no endpoint was registered: {made}")
    return made.secret


def answer_webhook(
    raw_body: bytes,
    headers: Mapping[str, str],
    secret: str,
    handled: MutableSet[str],
    ship: Callable[[str], None],
) -> int:
    """Handles a delivery and returns the status to answer with: 2xx ends it, anything else has it sent again later.

    handled has the ids of events that were handled: a table of yours, written in the transaction that handles one.
    """
    try:
        event = verify_webhook(raw_body, headers.get("Service-Signature"), secret)
    except WebhookSignatureError:
        return 400
    if event["id"] in handled or event["data"].get("is_test_event"):
        return 204
    if event["type"] == "group_payment.paid":
        ship(event["data"]["group_payment_id"])
    handled.add(event["id"])
    return 204


def serve_webhooks(port: int, secret: str, ship: Callable[[str], None]) -> ThreadingHTTPServer:
    """Opens an endpoint on this machine; serve_forever of what it returns serves it."""
    handled: set[str] = set()

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(answer_webhook(raw_body, self.headers, secret, handled, ship))
            self.end_headers()

    return ThreadingHTTPServer(("127.0.0.1", port), Endpoint)
