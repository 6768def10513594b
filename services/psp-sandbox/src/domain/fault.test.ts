import { findManifest, pspCodes } from '@gp/gateway-registry';
import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS, faultText, parseFault, parseSandboxFault, whyNotPlayable } from './fault.ts';
import { OPERATIONS } from './payment.ts';

describe('a fault', () => {
  it.each(FAULT_KINDS)('the fault %s survives being written down and read again', (kind) => {
    const text = kind === 'delay' ? 'delay:250' : kind;
    expect(faultText(parseFault(text) ?? { kind: 'lose', delayMs: -1 })).toBe(text);
  });

  it.each(['', 'delay', 'delay:', 'delay:-1', 'delay:1e3', 'delay:999999', 'decline:1', 'constructor'])(
    'a fault is not made of %p',
    (text) => expect(parseFault(text)).toBeUndefined(),
  );
});

describe("a payment's own faults", () => {
  it("a payment's own faults have a count and may be several", () => {
    expect(parseSandboxFault('capture:http_500:2, authorise:delay:300:4,callback:lose')).toEqual([
      { operation: 'capture', fault: { kind: 'http_500', delayMs: 0 }, times: 2 },
      { operation: 'authorise', fault: { kind: 'delay', delayMs: 300 }, times: 4 },
      { operation: 'callback', fault: { kind: 'lose', delayMs: 0 }, times: 1 },
    ]);
  });

  it.each([
    'capture',
    'settle:lose',
    'capture:lose:0',
    'capture:lose:x',
    'capture:lose:1:1',
    ':::',
    'capture:delay',
  ])("a payment's own faults ignore the nonsense %p", (text) => expect(parseSandboxFault(text)).toEqual([]));
});

describe('a fault without meaning is refused', () => {
  const { code, ledger, sandbox } = findManifest(pspCodes[0] ?? 'gateway_a');
  const ABLE = {
    isRefundable: true,
    hasPrepareCallbacks: true,
    hasPrepareAmount: true,
    hasLaterOutcomes: true,
  };
  const ALWAYS = [
    'prepare async_failed',
    ...['duplicate', 'reorder', 'lose', 'async_failed'].map((kind) => `query ${kind}`),
    'callback decline',
    'callback async_failed',
  ];

  it.each([
    ['that can do everything', {}, []],
    [
      'whose preparation has no callbacks',
      { hasPrepareCallbacks: false },
      ['prepare duplicate', 'prepare reorder', 'prepare lose'],
    ],
    ['whose preparation has no amount', { hasPrepareAmount: false }, ['prepare wrong_amount']],
    [
      'that does at once what it accepts',
      { hasLaterOutcomes: false },
      ['authorise', 'capture', 'void', 'refund'].map((operation) => `${operation} async_failed`),
    ],
    ['without refunds', { isRefundable: false }, FAULT_KINDS.map((kind) => `refund ${kind}`)],
  ])('a meaningless fault is refused at a gateway %s', (_what, missing, added) => {
    const { isRefundable, ...behaviour } = { ...ABLE, ...missing };
    const gateway = { code, ledger: { ...ledger, isRefundable }, sandbox: { ...sandbox, behaviour } };
    const refused = OPERATIONS.flatMap((operation) =>
      FAULT_KINDS.filter((kind) => whyNotPlayable(gateway, operation, kind)).map(
        (kind) => `${operation} ${kind}`,
      ),
    );
    expect(refused.toSorted()).toEqual([...ALWAYS, ...added].toSorted());
  });
});
