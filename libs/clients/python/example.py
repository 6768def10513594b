from datetime import datetime
from uuid import UUID

from group_payments import AuthenticatedClient
from group_payments.api.group_payments import create_group_payment
from group_payments.api.payments import pay_group_payment
from group_payments.models import CreateGroupPaymentRequest, EqualDistribution, ErrorResponse, PayRequest
from group_payments.webhooks import verify_webhook


def open_bill(client: AuthenticatedClient, expires_at: datetime) -> tuple[UUID, str]:
    """Creates a group payment of three equal slots; returns its id and the address to send to the payers."""
    body = CreateGroupPaymentRequest(
        group_name="Dinner at Casa Lola",
        total_amount=90,
        currency="EUR",
        expires_at=expires_at,
        distribution=EqualDistribution(type_="equally", number_of_slots=3),
    )
    answer = create_group_payment.sync(client=client, body=body)
    if answer is None or isinstance(answer, ErrorResponse):
        raise RuntimeError(f"no group payment was created: {answer}")
    return answer.group_payment.id, answer.checkout_url


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


def find_paid_group(raw_body: bytes, signature: str | None, secret: str) -> str | None:
    """For your endpoint: returns the id of the group that is paid. Raises when the signature is wrong."""
    event = verify_webhook(raw_body, signature, secret)
    return event["data"]["group_payment_id"] if event["type"] == "group_payment.paid" else None
