"""Pays a whole group, verifies a genuine webhook and a forged one, and provokes an error: what an integration does."""

import json
import os
import time
import uuid
from datetime import datetime, timedelta, timezone

from example import count_paid, find_paid_group, open_bill, pay, refund
from group_payments import AuthenticatedClient
from group_payments.api.group_payments import get_group_payment
from group_payments.api.payments import confirm_payment, pay_group_payment
from group_payments.models import ConfirmRequest, EncryptedCard, PayRequest
from group_payments.webhooks import WebhookSignatureError, verify_webhook


def wait_until_paid(client: AuthenticatedClient, group_id: uuid.UUID) -> str:
    for _ in range(300):
        state = str(get_group_payment.sync(group_id, client=client).group_payment.state)
        if state == "paid":
            break
        time.sleep(0.1)
    return state


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
state = wait_until_paid(client, group_id)
late = pay_group_payment.sync(group_id, client=client, body=PayRequest("late@payers.example"))
event = verify_webhook(raw_body, signature, secret)
assert find_paid_group(raw_body.encode(), {"Service-Signature": signature}, secret) == event["data"]["group_payment_id"]
assert count_paid(client, order_id) == 1
assert refund(client, group_id, str(uuid.uuid4())) == []
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
