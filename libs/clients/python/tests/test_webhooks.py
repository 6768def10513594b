"""Verifies the vectors that the signer of the platform made: `python -m unittest discover tests`."""

import json
import pathlib
import unittest

from group_payments.webhooks import WebhookSignatureError, verify_webhook

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text("utf-8"))


class VerifyWebhook(unittest.TestCase):
    def test_every_vector_is_judged_as_the_signer_meant_it(self) -> None:
        self.assertGreater(len(VECTORS), 10)
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                given = (vector["body"], vector["signature"], vector["secret"])
                if vector["valid"]:
                    self.assertEqual(verify_webhook(*given, now=vector["now"]), json.loads(vector["body"]))
                else:
                    with self.assertRaises(WebhookSignatureError):
                        verify_webhook(*given, now=vector["now"])

    def test_a_header_that_is_missing_or_another_one_is_refused_and_the_right_one_named(self) -> None:
        for missing in (None, ""):
            with self.assertRaisesRegex(WebhookSignatureError, "the header Service-Signature is missing"):
                verify_webhook(b"{}", missing, "whsec_x")
        for other in ("v1,bm90IGhleA==", "1900000000", "t=1,t=1,v1=ab"):
            with self.assertRaisesRegex(WebhookSignatureError, "pass the header Service-Signature, "):
                verify_webhook(b"{}", other, "whsec_x")

    def test_a_parsed_body_is_refused_and_the_raw_one_asked_for(self) -> None:
        for parsed in ({}, {"type": "group_payment.paid"}, None, 7):
            with self.assertRaisesRegex(WebhookSignatureError, "pass the body as it was received"):
                verify_webhook(parsed, "t=1,v1=ab", "whsec_x")  # type: ignore[arg-type]

    def test_bytes_of_every_kind_are_verified(self) -> None:
        vector = next(vector for vector in VECTORS if vector["valid"])
        body = vector["body"].encode()
        for raw_body in (body, bytearray(body), memoryview(body)):
            event = verify_webhook(raw_body, vector["signature"], vector["secret"], now=vector["now"])
            self.assertEqual(event, json.loads(body))


if __name__ == "__main__":
    unittest.main()
