import { expect, it } from '@jest/globals';
import { verifyWebhook } from '@group-payments/client/webhooks';
import { deriveSecret, SECRET, signWebhook } from './sign.ts';

const event = { id: '01a21259-9ae4-71aa-af35-d48f586a3cd4', type: 'group_payment.paid' };
const body = JSON.stringify({ ...event, created: '2030-01-01T00:00:00.000Z', data: { name: 'Café' } });

it('verifyWebhook accepts a forwarded event with the secret of listen, and with no other', async () => {
  const secret = deriveSecret('sk_test_one');
  expect(secret).toMatch(SECRET);
  const signature = signWebhook(event, { body, secret })['service-signature'];
  expect(await verifyWebhook({ rawBody: body, signature, secret })).toMatchObject(event);
  await expect(
    verifyWebhook({ rawBody: body, signature, secret: deriveSecret('sk_test_two') }),
  ).rejects.toThrow('no signature fits');
});

it('a forwarded event has headers that name it and the second of its signature', () => {
  expect(
    signWebhook(event, { body, secret: deriveSecret('sk_test_one'), now: 1_900_000_000_999 }),
  ).toMatchObject({
    'service-signature': expect.stringMatching(/^t=1900000000,v1=[0-9a-f]{64}$/),
    'service-event-id': event.id,
    'service-event-type': event.type,
    'webhook-id': event.id,
    'webhook-timestamp': '1900000000',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});
