import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  decodePaymentRef,
  encodePaymentIds,
  encodePaymentRef,
  buildPaymentRef,
  type IntentView,
  type PaymentRefMessage,
} from '../index.ts';

const ref = {
  merchantId: 'm1',
  mode: 'test',
  groupId: '01890000-0000-7000-8000-000000000001',
  intentId: '01890000-0000-7000-8000-000000000002',
  attemptId: '01890000-0000-7000-8000-000000000003',
  seq: 2,
  amountMinor: 9_000n,
  currency: 'EUR',
  credentialVersion: 3,
  sandboxFault: 'timeout',
} as const;
const ids =
  '"merchant_id":"m1","mode":"test","group_id":"01890000-0000-7000-8000-000000000001",' +
  '"intent_id":"01890000-0000-7000-8000-000000000002","attempt_id":"01890000-0000-7000-8000-000000000003"';
const terms =
  '"seq":2,"amount_minor":"9000","currency":"EUR","credential_version":3,"sandbox_fault":"timeout"';

const anyRef = fc.record({
  merchantId: fc.string({ minLength: 1, maxLength: 64 }),
  mode: fc.constantFrom('test', 'live'),
  groupId: fc.uuid(),
  intentId: fc.uuid(),
  attemptId: fc.option(fc.uuid()),
  seq: fc.integer({ min: 1 }),
  amountMinor: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
  currency: fc.stringMatching(/^[A-Z]{3}$/),
  credentialVersion: fc.integer({ min: 1 }),
  sandboxFault: fc.option(fc.string()),
});

describe('a reference to a payment', () => {
  it('a reference to a payment is read from a message as it was written, without a fault in live mode', () => {
    fc.assert(
      fc.property(anyRef, (written) => {
        const text = JSON.stringify(encodePaymentRef(written));
        const read = decodePaymentRef(JSON.parse(text) as PaymentRefMessage<string | null>);
        const sandboxFault = written.mode === 'live' ? null : written.sandboxFault;
        expect(read).toEqual({ ...written, sandboxFault });
      }),
    );
  });

  it('a reference to a payment has the fields of its message in the order of version 1', () => {
    expect(JSON.stringify(encodePaymentRef(ref))).toBe(`{${ids},${terms}}`);
    expect(JSON.stringify(encodePaymentIds(ref))).toBe(`{${ids}}`);
  });

  it('a reference to a payment leaves the other fields of a message out', () => {
    const message = { ...encodePaymentRef(ref), description: 'Dinner', operation: 'capture' };
    expect(decodePaymentRef(message)).toEqual(ref);
  });

  it('a reference to a payment is written the same from the ledger’s view of an intent', () => {
    const { merchant_id, mode, group_id, amount_minor, currency, credential_version } = encodePaymentRef(ref);
    const intent: IntentView = {
      ...{ merchant_id, mode, group_id, amount_minor, currency, credential_version },
      id: ref.intentId,
      customer_id: ref.groupId,
      psp_code: 'gateway_a',
      slot_ids: [],
      state: 'created',
      unknown: false,
      failure: null,
    };
    const attempt = { id: ref.attemptId, seq: ref.seq, psp_reference: null };
    expect(JSON.stringify(buildPaymentRef(intent, attempt, 'timeout'))).toBe(`{${ids},${terms}}`);
    const none = buildPaymentRef(intent, { id: null, seq: 1 }, null);
    expect(none).toMatchObject({ attempt_id: null, seq: 1, sandbox_fault: null });
  });
});
