import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { verifyWebhook, WebhookSignatureError } from '../src/webhooks.ts';

type Vector = {
  readonly name: string;
  readonly body: string;
  readonly signature: string;
  readonly secret: string;
  readonly now: number;
  readonly valid: boolean;
};

/** Signed by the platform itself; the clients in other languages verify them, too. */
const file = resolve(import.meta.dirname, '../../clients/vectors.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];

it.each(vectors)(
  'verifyWebhook judges a delivery as the signer meant it: $name',
  async ({ body, signature, secret, now, valid }) => {
    const verified = verifyWebhook({ rawBody: body, signature, secret, now: now * 1_000 });
    if (valid) expect(await verified).toEqual(JSON.parse(body));
    else await expect(verified).rejects.toThrow(WebhookSignatureError);
  },
);
