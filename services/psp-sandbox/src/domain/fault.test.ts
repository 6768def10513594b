import { findManifest, pspCodes } from '@gp/gateway-registry';
import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS, faultText, parseFault, parseSandboxFault, whyNotPlayable } from './fault.ts';
import { OPERATIONS } from './payment.ts';

describe('a fault', () => {
  it.each(FAULT_KINDS)('%s survives being written down and read again', (kind) => {
    const text = kind === 'delay' ? 'delay:250' : kind;
    expect(faultText(parseFault(text) ?? { kind: 'lose', delayMs: -1 })).toBe(text);
  });

  it.each(['', 'delay', 'delay:', 'delay:-1', 'delay:1e3', 'delay:999999', 'decline:1', 'constructor'])(
    'is not made of %p',
    (text) => expect(parseFault(text)).toBeUndefined(),
  );
});

describe("a payment's own faults", () => {
  it('carry a count and may be several', () => {
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
  ])('ignore the nonsense %p', (text) => expect(parseSandboxFault(text)).toEqual([]));
});

it('only faults without meaning are refused, and each refusal says why', () => {
  const refused = pspCodes.flatMap((gateway) =>
    OPERATIONS.flatMap((operation) =>
      FAULT_KINDS.filter((kind) => whyNotPlayable(findManifest(gateway), operation, kind)).map(
        (kind) => `${gateway} ${operation} ${kind}`,
      ),
    ),
  );
  expect(refused).toEqual([
    'gateway_a prepare async_failed',
    'gateway_a query duplicate',
    'gateway_a query reorder',
    'gateway_a query lose',
    'gateway_a query async_failed',
    'gateway_a callback decline',
    'gateway_a callback async_failed',
    'gateway_b prepare wrong_amount',
    'gateway_b prepare duplicate',
    'gateway_b prepare reorder',
    'gateway_b prepare lose',
    'gateway_b prepare async_failed',
    'gateway_b query duplicate',
    'gateway_b query reorder',
    'gateway_b query lose',
    'gateway_b query async_failed',
    'gateway_b callback decline',
    'gateway_b callback async_failed',
    ...['duplicate', 'reorder', 'lose', 'async_failed'].map((kind) => `gateway_c prepare ${kind}`),
    'gateway_c authorise async_failed',
    'gateway_c capture async_failed',
    'gateway_c void async_failed',
    ...FAULT_KINDS.map((kind) => `gateway_c refund ${kind}`),
    ...['duplicate', 'reorder', 'lose', 'async_failed'].map((kind) => `gateway_c query ${kind}`),
    'gateway_c callback decline',
    'gateway_c callback async_failed',
  ]);
});
