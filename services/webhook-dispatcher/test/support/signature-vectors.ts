import { signedHeaders } from '../../src/app/deliveries/sign-delivery.ts';

/** A delivery, and whether a receiver with this secret must accept it at this time. */
export type SignatureVector = {
  readonly name: string;
  readonly body: string;
  /** The header `Service-Signature`. */
  readonly signature: string;
  readonly secret: string;
  /** Unix seconds. */
  readonly now: number;
  readonly valid: boolean;
};

const NOW = 1_900_000_000;
const ID = '0198c0de-0000-7000-8000-0000000000e1';
const [CURRENT, PREVIOUS] = ['current', 'previous'].map(
  (name) => `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`,
) as [string, string];

const buildBody = (groupName: string): string =>
  JSON.stringify({
    id: ID,
    type: 'group_payment.paid',
    created: '2030-03-17T17:46:40.000Z',
    data: {
      group_payment_id: '0198c0de-0000-7000-8000-000000000001',
      is_test_mode: true,
      sequence: 7,
      occurred_at: '2030-03-17T17:46:40.000Z',
      metadata: { name: groupName },
      state: 'paid',
      currency: 'EUR',
      amount_captured: 90,
      amount_refunded: 0,
    },
  });

const plain = buildBody('Dinner');

/** What the dispatcher itself sends at this time. */
function sign(body: string, secrets: readonly [string, ...string[]], at = NOW): string {
  const event = { id: ID, type: 'group_payment.paid', payload: Buffer.from(body), isTest: false };
  return signedHeaders(event, secrets, at * 1_000)['Service-Signature'] ?? '';
}

const signed = sign(plain, [CURRENT]);
const [time = '', mac = ''] = signed.split(',');

type Given = Partial<Omit<SignatureVector, 'name' | 'valid'>>;
const toVector =
  (valid: boolean) =>
  ([name, given]: readonly [string, Given]): SignatureVector => ({
    ...{ name, body: plain, signature: signed, secret: CURRENT, now: NOW, valid },
    ...given,
  });

const accepted: readonly (readonly [string, Given])[] = [
  ['one secret', {}],
  ['the current secret while the previous one signs, too', { signature: sign(plain, [CURRENT, PREVIOUS]) }],
  [
    'the previous secret while it signs, too',
    { signature: sign(plain, [CURRENT, PREVIOUS]), secret: PREVIOUS },
  ],
  ['text beyond ASCII', sentWith(buildBody('Açaí für 3 🍽️'))],
  ['300 seconds old', { now: NOW + 300 }],
  ['300 seconds from the future', { now: NOW - 300 }],
  ['a signature of another scheme beside', { signature: `${signed},v2=00` }],
];

const refused: readonly (readonly [string, Given])[] = [
  ['301 seconds old', { now: NOW + 301 }],
  ['301 seconds from the future', { now: NOW - 301 }],
  ['another secret', { secret: PREVIOUS }],
  ['an empty secret', { secret: '' }],
  ['a body with one byte more', { body: `${plain} ` }],
  ['a body written again', { body: JSON.stringify(JSON.parse(plain), undefined, 2) }],
  ['another time', { signature: `t=${NOW + 1},${mac}` }],
  ['two times', { signature: `${time},${signed}` }],
  ['no time', { signature: mac }],
  ['a time that is no number', { signature: `t=now,${mac}` }],
  ['no signature', { signature: time }],
  ['half a signature', { signature: signed.slice(0, -32) }],
  ['the signature under another scheme', { signature: signed.replace('v1=', 'v0=') }],
  ['an empty header', { signature: '' }],
];

function sentWith(body: string): Given {
  return { body, signature: sign(body, [CURRENT]) };
}

/** Deliveries for every client of the API that verifies webhooks, in whatever language. */
export const signatureVectors: readonly SignatureVector[] = [
  ...accepted.map(toVector(true)),
  ...refused.map(toVector(false)),
];
