"""Pays a whole group, verifies a genuine webhook and a forged one, and provokes an error: what an integration does."""

import json
import os
import threading
import time
import uuid
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import httpx
from example import count_paid, find_paid_group, open_bill, pay, refund
from example_more import let_time_pass, open_tab, pay_in_test_mode, register_endpoint, serve_webhooks
from group_payments import AuthenticatedClient
from group_payments.api.group_payments import get_group_payment
from group_payments.api.payments import confirm_payment, pay_group_payment
from group_payments.api.test_clock import reset_test_clock
from group_payments.models import ConfirmRequest, EncryptedCard, PayRequest, TestCard
from group_payments.webhooks import WebhookSignatureError, verify_webhook


def wait_for_state(client: AuthenticatedClient, group_id: uuid.UUID, wanted: str) -> str:
    for _ in range(300):
        state = str(get_group_payment.sync(group_id, client=client).group_payment.state)
        if state == wanted:
            break
        time.sleep(0.1)
    return state


def pay_a_tab(client: AuthenticatedClient) -> None:
    """Pays slots of different prices in test mode, after a decline, and lets a group expire."""
    dishes = {"Paella": Decimal("10.10"), "Flan": Decimal("0.20")}
    order_id, expires_at = str(uuid.uuid4()), datetime.now(timezone.utc) + timedelta(hours=1)
    tab = open_tab(client, order_id, dishes, expires_at)
    assert [(slot.amount, slot.label) for slot in tab.payment_slots] == [(10.10, "Paella"), (0.20, "Flan")]
    id, (paella, flan) = tab.group_payment.id, [slot.id for slot in tab.payment_slots]
    assert tab.group_payment.total_amount == 10.30
    declined = pay_in_test_mode(client, id, paella, TestCard.DECLINED, str(uuid.uuid4()))
    assert (declined.state, declined.failure.code) == ("failed", "card_declined")
    key = str(uuid.uuid4())
    paid = [pay_in_test_mode(client, id, paella, TestCard.APPROVED, key).payment_intent_id for _ in range(2)]
    assert len(set(paid)) == 1
    pay_in_test_mode(client, id, flan, TestCard.APPROVED, str(uuid.uuid4()))
    assert wait_for_state(client, id, "paid") == "paid"
    unpaid = open_tab(client, str(uuid.uuid4()), dishes, datetime.now(timezone.utc) + timedelta(hours=1))
    let_time_pass(client, 7200)
    assert str(get_group_payment.sync(unpaid.group_payment.id, client=client).group_payment.state) == "expired"
    reset_test_clock.sync(client=client)


def register_twice(client: AuthenticatedClient) -> None:
    url = f"http://127.0.0.1:9/{uuid.uuid4()}"
    assert register_endpoint(client, url).startswith("whsec_")
    assert register_endpoint(client, url) is None


def receive(raw_body: str, signature: str, secret: str) -> None:
    """Delivers a genuine webhook twice and a forged one to the endpoint of the README, which ships once."""
    shipped: list[str] = []
    server = serve_webhooks(0, secret, shipped.append)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    headers = {"Service-Signature": signature}
    deliveries = [raw_body, raw_body, raw_body + " "]
    statuses = [httpx.post(url, content=each, headers=headers).status_code for each in deliveries]
    server.shutdown()
    assert (statuses, len(shipped)) == ([204, 204, 400], 1)


def find_forgery(raw_body: str, signature: str, secret: str) -> str:
    try:
        find_paid_group(raw_body, {"Service-Signature": signature}, secret)
    except WebhookSignatureError as error:
        return str(error)
    return "accepted"


task = json.loads(os.environ["TASK"])
raw_body, signature, secret = (task["delivery"][name] for name in ("rawBody", "signature", "secret"))
client = AuthenticatedClient(base_url=task["baseUrl"], token=task["key"])

order_id, expires_at = str(uuid.uuid4()), datetime.now(timezone.utc) + timedelta(hours=1)
group_id, slots, _ = open_bill(client, order_id, expires_at)
assert open_bill(client, order_id, expires_at)[:2] == (group_id, slots) and len(slots) == 3
started = pay(client, group_id, "packaged@payers.example", str(uuid.uuid4()))
confirmation = ConfirmRequest(started.payment_intent_id, EncryptedCard.from_dict(task["card"]))
confirm_payment.sync(group_id, client=client, body=confirmation)
state = wait_for_state(client, group_id, "paid")
late = pay_group_payment.sync(group_id, client=client, body=PayRequest("late@payers.example"))
event = verify_webhook(raw_body, signature, secret)
assert find_paid_group(raw_body.encode(), {"Service-Signature": signature}, secret) == event["data"]["group_payment_id"]
assert count_paid(client, order_id) == 1
assert refund(client, group_id, str(uuid.uuid4())) == []
pay_a_tab(client)
register_twice(client)
receive(raw_body, signature, secret)
print(
    json.dumps(
        {
            "state": state,
            "event": event["type"],
            "eventState": event["data"]["state"],
            "forged": find_forgery(raw_body + " ", signature, secret),
            "refusal": late.code,
        }
    )
)
