from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from group_payments import AuthenticatedClient
from group_payments.api.group_payments import create_group_payment, list_group_payments
from group_payments.api.payments import pay_group_payment
from group_payments.api.refunds import refund_group_payment
from group_payments.models import (
    CreateGroupPaymentRequest,
    EqualDistribution,
    ErrorResponse,
    FailedRefund,
    GroupPaymentState,
    Metadata,
    PayRequest,
    RefundRequest,
)
from group_payments.webhooks import verify_webhook


def open_bill(client: AuthenticatedClient, order_id: str, expires_at: datetime) -> tuple[UUID, list[UUID], str]:
    """Creates a group payment of three equal slots; returns its id, its slots and the address to send to the payers.

    expires_at has a time zone and comes from your stored order: a repetition under the same key with another body is
    refused with idempotency_key_reused.
    """
    body = CreateGroupPaymentRequest(
        group_name="Dinner at Casa Lola",
        total_amount=90,
        currency="EUR",
        expires_at=expires_at,
        distribution=EqualDistribution(type_="equally", number_of_slots=3),
        client_reference=order_id,
        metadata=Metadata.from_dict({"table": 7}),
    )
    answer = create_group_payment.sync(client=client, body=body, idempotency_key=f"bill-{order_id}")
    if answer is None or isinstance(answer, ErrorResponse):
        raise RuntimeError(f"no group payment was created: {answer}")
    return answer.group_payment.id, [slot.id for slot in answer.payment_slots], answer.checkout_url


def pay(client: AuthenticatedClient, id: UUID, customer_email: str, attempt_id: str):
    """Starts a payment of all free slots; returns None when another payer was faster.

    attempt_id is your own id of this attempt: repeat it to repeat the request, and make a new one for a new attempt.
    """
    body = PayRequest(customer_email=customer_email)
    answer = pay_group_payment.sync(id, client=client, body=body, idempotency_key=attempt_id)
    if isinstance(answer, ErrorResponse):
        if answer.code == "no_payable_slots":
            return None
        raise RuntimeError(f"{answer.code}: {answer.message} ({answer.request_id})")
    return answer


def count_paid(client: AuthenticatedClient, order_id: str) -> int:
    """Counts the paid group payments of an order."""
    answer = list_group_payments.sync(client=client, state=GroupPaymentState.PAID, client_reference=order_id)
    if answer is None or isinstance(answer, ErrorResponse):
        raise RuntimeError(f"no list: {answer}")
    return len(answer.group_payments)


def refund(client: AuthenticatedClient, id: UUID, refund_id: str) -> list[FailedRefund]:
    """Refunds all that is captured; returns the payments that were not refunded, each with the reason as error.

    RefundRequest(slot_ids=[...]) refunds the payments that cover these slots.

    200 and 502 have the same answer: 502 says that nothing was refunded.
    """
    answer = refund_group_payment.sync(id, client=client, body=RefundRequest(), idempotency_key=refund_id)
    if answer is None or isinstance(answer, ErrorResponse):
        raise RuntimeError(f"the refund was refused: {answer}")
    return answer.failed


def find_paid_group(raw_body: bytes, headers: Mapping[str, str], secret: str) -> str | None:
    """For your endpoint: returns the id of the group that is paid. Raises WebhookSignatureError for a forgery.

    A test event, which test_webhook sends, is no sale.

    headers: those of the request, of a framework that ignores their case, such as Flask, Django or FastAPI.
    """
    event = verify_webhook(raw_body, headers.get("Service-Signature"), secret)
    is_sale = event["type"] == "group_payment.paid" and not event["data"].get("is_test_event")
    return event["data"]["group_payment_id"] if is_sale else None
