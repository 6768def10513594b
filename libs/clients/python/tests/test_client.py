"""What the README promises of the generated operations, against answers that a test makes."""

import json
import unittest
from collections.abc import Callable
from datetime import datetime, timezone
from uuid import UUID

import httpx
from group_payments import AuthenticatedClient
from group_payments.api.group_payments import update_group_payment
from group_payments.api.refunds import refund_group_payment
from group_payments.errors import UnexpectedStatus
from group_payments.models import (
    ErrorResponse,
    GroupPaymentState,
    Metadata,
    PspCode,
    RefundRequest,
    RefundResponse,
    UpdateGroupPaymentRequest,
)
from group_payments.types import UNSET

ID = UUID("0198c0de-0000-7000-8000-000000000001")
REFUND = {
    "refunded_payment_intents": [],
    "refunded_slot_ids": [],
    "failed": [
        {
            "payment_intent_id": str(ID),
            "psp_code": next(iter(PspCode)),
            "code": "refund_unavailable",
            "error": "no refunds here",
        }
    ],
    "group_state": "refund_failed",
}


def open_client(answer: Callable[[httpx.Request], httpx.Response], **settings: object) -> AuthenticatedClient:
    transport = httpx.MockTransport(answer)
    return AuthenticatedClient("https://api.example", "sk_test_x", httpx_args={"transport": transport}, **settings)


class Timeouts(unittest.TestCase):
    def test_a_client_waits_40_seconds_unless_told_otherwise(self) -> None:
        client = AuthenticatedClient("https://api.example", "sk_test_x")
        self.assertEqual(client.get_httpx_client().timeout, httpx.Timeout(40))
        self.assertEqual(client.get_async_httpx_client().timeout, httpx.Timeout(40))
        own = AuthenticatedClient("https://api.example", "sk_test_x", timeout=httpx.Timeout(10, connect=2))
        self.assertEqual(own.get_httpx_client().timeout, httpx.Timeout(10, connect=2))
        self.assertEqual(own.with_timeout(httpx.Timeout(5)).get_httpx_client().timeout, httpx.Timeout(5))

    def test_a_client_is_printed_without_its_key(self) -> None:
        client = open_client(lambda _: httpx.Response(404))
        client.get_httpx_client()
        self.assertNotIn("sk_test_x", repr(client))

    def test_a_request_without_an_answer_raises_an_error_of_httpx(self) -> None:
        for error in (httpx.ReadTimeout("late"), httpx.ConnectError("refused")):

            def fail(_: httpx.Request, error: httpx.TransportError = error) -> httpx.Response:
                raise error

            with self.assertRaises(httpx.TransportError):
                refund_group_payment.sync(ID, client=open_client(fail), body=RefundRequest())


class Answers(unittest.TestCase):
    def test_a_refund_that_refunded_nothing_is_a_refund_response_and_no_error(self) -> None:
        client = open_client(lambda _: httpx.Response(502, json=REFUND))
        answer = refund_group_payment.sync_detailed(ID, client=client, body=RefundRequest())
        self.assertEqual(answer.status_code, 502)
        self.assertIsInstance(answer.parsed, RefundResponse)
        [failed] = answer.parsed.failed
        self.assertEqual((failed.code, failed.error), ("refund_unavailable", "no refunds here"))

    def test_a_status_that_is_not_described_is_none_or_unexpected_status(self) -> None:
        def answer(_: httpx.Request) -> httpx.Response:
            return httpx.Response(418, text="<html>")

        self.assertIsNone(refund_group_payment.sync(ID, client=open_client(answer), body=RefundRequest()))
        strict = open_client(answer, raise_on_unexpected_status=True)
        with self.assertRaises(UnexpectedStatus):
            refund_group_payment.sync(ID, client=strict, body=RefundRequest())

    def test_a_described_status_with_another_body_raises_value_error_or_key_error(self) -> None:
        page = open_client(lambda _: httpx.Response(502, text="<html>"))
        with self.assertRaises(ValueError):
            refund_group_payment.sync(ID, client=page, body=RefundRequest())
        other = open_client(lambda _: httpx.Response(502, json={"state": "down"}))
        with self.assertRaises(KeyError):
            refund_group_payment.sync(ID, client=other, body=RefundRequest())


class Values(unittest.TestCase):
    def send(self, body: UpdateGroupPaymentRequest) -> object:
        sent: list[object] = []

        def answer(request: httpx.Request) -> httpx.Response:
            sent.append(json.loads(request.content))
            error = {"error": "x", "message": "no", "version": "1.0.0", "code": "not_found", "request_id": "r"}
            return httpx.Response(404, json=error)

        answered = update_group_payment.sync(ID, client=open_client(answer), body=body)
        self.assertIsInstance(answered, ErrorResponse)
        self.assertEqual(answered.code, "not_found")
        self.assertIs(answered.param, UNSET)
        self.assertFalse(answered.param)
        self.assertEqual(repr(answered.param), "UNSET")
        return sent[0]

    def test_a_field_that_is_not_given_is_unset_and_is_not_sent(self) -> None:
        self.assertEqual(self.send(UpdateGroupPaymentRequest(group_name="Lunch")), {"group_name": "Lunch"})

    def test_metadata_is_made_of_a_dict_and_read_as_one(self) -> None:
        metadata = Metadata.from_dict({"table": 7})
        self.assertEqual((metadata["table"], metadata.to_dict()), (7, {"table": 7}))
        self.assertEqual(self.send(UpdateGroupPaymentRequest(metadata=metadata)), {"metadata": {"table": 7}})

    def test_a_moment_is_sent_with_its_time_zone(self) -> None:
        moment = datetime(2030, 1, 1, 20, tzinfo=timezone.utc)
        body = self.send(UpdateGroupPaymentRequest(expires_at=moment))
        self.assertEqual(body, {"expires_at": "2030-01-01T20:00:00+00:00"})

    def test_an_enum_equals_its_text_and_refuses_a_text_it_does_not_know(self) -> None:
        self.assertEqual(GroupPaymentState.PAID, "paid")
        self.assertIs(GroupPaymentState("paid"), GroupPaymentState.PAID)
        with self.assertRaises(ValueError):
            GroupPaymentState("melted")

    def test_a_request_loses_a_field_that_it_does_not_know_and_an_answer_keeps_it(self) -> None:
        request = UpdateGroupPaymentRequest.from_dict({"group_name": "Lunch", "colour": "green"})
        self.assertEqual(request.to_dict(), {"group_name": "Lunch"})
        self.assertEqual(RefundResponse.from_dict({**REFUND, "colour": "green"})["colour"], "green")


if __name__ == "__main__":
    unittest.main()
