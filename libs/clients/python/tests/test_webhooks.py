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

    def test_a_delivery_without_the_header_is_refused(self) -> None:
        with self.assertRaises(WebhookSignatureError):
            verify_webhook(b"{}", None, "whsec_x")


if __name__ == "__main__":
    unittest.main()
