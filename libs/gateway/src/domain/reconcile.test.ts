import { describe, expect, it } from '@jest/globals';
import type { GatewayCall } from './gateway-call.ts';
import type { CallState } from './gateway-call.machine.ts';
import type { Truth } from './payment.ts';
import { isTooEarly, reconcile, type Mirrored } from './reconcile.ts';

const truth = (more: Partial<Truth> = {}): Truth => ({
  pspReference: 'pi_1',
  status: 'authorised',
  amountMinor: 1_500n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  currency: 'EUR',
  captureBefore: null,
  isOpenToPayer: false,
  isDisputed: false,
  failure: null,
  actions: [],
  ...more,
});

const row = (operation: GatewayCall['operation'], state: CallState, seq = 1): GatewayCall => ({
  id: `${operation}-${seq}`,
  mode: 'test',
  merchantId: 'm',
  groupId: 'g',
  intentId: 'i',
  attemptId: 'a',
  operation,
  seq,
  operationId: `op-${operation}-${seq}`,
  idempotencyKey: `test:a:${operation}:${seq}`,
  credentialVersion: 1,
  state,
  pspReference: 'pi_1',
  amountMinor: 1_500n,
  currency: 'EUR',
  resultMinor: null,
  sandboxFault: null,
  failure: null,
  traceparent: null,
  notAfter: null,
  unlessAuthorised: false,
  returnUrl: null,
  startedAt: new Date(0),
  leasedUntil: new Date(0),
  acceptedAt: null,
});

const succeeded = (id: string): [string, CallState] => [id, 'succeeded'];
const listRowStates = (rows: readonly GatewayCall[]) => rows.map(({ id, state }) => [id, state] as const);

const told = (
  rows: GatewayCall[],
  seen: Truth,
  o: {
    isAsked?: boolean;
    doneBefore?: string[];
    before?: readonly GatewayCall[];
    disputed?: boolean;
    mirrored?: Partial<Mirrored>;
    mirroredBefore?: Partial<Mirrored>;
  } = {},
) =>
  reconcile(rows, seen, {
    isAsked: o.isAsked ?? false,
    before: new Map([...listRowStates(o.before ?? []), ...(o.doneBefore ?? []).map(succeeded)]),
    disputed: o.disputed ?? null,
    mirrored: { capture: 0n, refund: 0n, ...o.mirrored },
    mirroredBefore: { capture: 0n, refund: 0n, ...o.mirrored, ...o.mirroredBefore },
  }).map(({ operation, verdict, row: own }) => `${operation} ${verdict.status}${own ? '' : ' external'}`);

const captured = truth({ status: 'captured', capturedMinor: 1_500n });

describe('what the ledger hears of a hold', () => {
  it('is told when it may be news', () =>
    expect(told([row('prepare', 'succeeded')], truth())).toEqual(['authorise authorised external']));

  it('is left out when it ordered a capture of it already', () =>
    expect(told([row('capture', 'unknown')], truth())).toEqual([]));

  it('is told all the same when it asks', () =>
    expect(told([row('authorise', 'succeeded')], truth(), { isAsked: true })).toEqual([
      'authorise authorised',
    ]));

  it('from before a release of ours that succeeded is left out', () =>
    expect(told([row('void', 'succeeded')], truth(), { isAsked: true })).toEqual([]));

  it('A8 that came after a release of ours, which had found nothing, is told', () =>
    expect(told([row('void', 'succeeded')], truth(), { doneBefore: ['void-1'] })).toEqual([
      'authorise authorised external',
    ]));

  it.each([
    ['voided', 'authorise lapsed external'],
    ['lapsed', 'authorise lapsed external'],
    ['declined', 'authorise declined external'],
    ['authenticating', 'authorise authenticating external'],
  ] as const)('%s is told as such', (status, expected) =>
    expect(told([], truth({ status }))).toEqual([expected]),
  );

  it.each(['awaiting_payer', 'processing'] as const)('%s is no news', (status) =>
    expect(told([], truth({ status }))).toEqual([]),
  );
});

describe('what the ledger hears of an operation', () => {
  it.each(['started', 'unknown', 'failed', 'declined'] as const)(
    'a capture of ours that the gateway did settles its row (%s)',
    (state) => expect(told([row('capture', state)], captured)).toEqual(['capture captured']),
  );

  it.each(['started', 'unknown'] as const)(
    'a dispute says nothing of a refund that was sent before it (%s)',
    (state) => {
      const disputed = { ...captured, isDisputed: true };
      const rows = [row('authorise', 'succeeded'), row('capture', 'succeeded'), row('refund', state)];
      expect(told(rows, disputed)).toEqual([]);
      const refusal = { operation: 'refund', reference: 'test:a:refund:1', state: 'failed' } as const;
      const answered = { ...disputed, actions: [{ ...refusal, amountMinor: 1_500n, failure: null }] };
      expect(told(rows, answered)).toEqual(['refund failed']);
    },
  );

  it('a capture without any order of ours is external', () =>
    expect(told([], captured)).toEqual(['authorise authorised external', 'capture captured external']));

  it('a success that is known already is not told again', () =>
    expect(told([row('capture', 'succeeded')], captured)).toEqual([]));

  it('a capture the gateway took back afterwards is told as failed', () =>
    expect(told([row('capture', 'succeeded')], truth(), { doneBefore: ['capture-1'] })).toEqual([
      'capture failed',
    ]));

  it('a look from before the capture cannot undo it', () =>
    expect(told([row('capture', 'succeeded')], truth(), { doneBefore: [] })).toEqual([]));

  it('a partial refund in the dashboard is told with its amount', () =>
    expect(told([row('capture', 'succeeded')], truth({ ...captured, refundedMinor: 200n }))).toEqual([
      'refund refunded external',
    ]));

  it('what went back in the dashboard is told once, and only what is more than before', () => {
    const rows = [row('capture', 'succeeded')];
    const seen = truth({ ...captured, refundedMinor: 500n });
    const amounts = (mirrored: bigint, refundedMinor = 500n) =>
      reconcile(
        rows,
        { ...seen, refundedMinor },
        {
          isAsked: false,
          before: new Map(),
          disputed: null,
          mirrored: { capture: 0n, refund: mirrored },
          mirroredBefore: { capture: 0n, refund: mirrored },
        },
      ).map(({ verdict }) => verdict.amountMinor);
    expect(amounts(0n)).toEqual([500n]);
    expect(amounts(500n)).toEqual([]);
    expect(amounts(500n, 700n)).toEqual([200n]);
  });

  it('a capture in the dashboard is told once', () =>
    expect(told([], captured, { mirrored: { capture: 1_500n } })).toEqual(['authorise authorised external']));

  it('our own refund of what the dashboard left is not mistaken for another one of the merchant', () => {
    const own = { ...row('refund', 'succeeded'), amountMinor: 1_000n, resultMinor: 1_000n };
    const seen = truth({ ...captured, refundedMinor: 1_500n });
    expect(told([row('capture', 'succeeded'), own], seen, { mirrored: { refund: 500n } })).toEqual([]);
  });

  it('while a refund of ours is unclear nothing is blamed on the merchant', () =>
    expect(
      told(
        [row('capture', 'succeeded'), row('refund', 'unknown')],
        truth({ ...captured, refundedMinor: 200n }),
      ),
    ).toEqual([]));

  it('a refund of ours that failed later is told as failed', () => {
    const actions = [
      {
        operation: 'refund',
        reference: 'test:a:refund:1',
        state: 'failed',
        amountMinor: 1_500n,
        failure: null,
      },
    ] as const;
    const rows = [row('capture', 'succeeded'), row('refund', 'succeeded')];
    expect(told(rows, truth({ ...captured, actions }), { doneBefore: ['refund-1'] })).toEqual([
      'refund failed',
    ]);
  });

  it('a refusal of an earlier try does not touch the newest one', () => {
    const actions = [
      {
        operation: 'refund',
        reference: 'test:a:refund:1',
        state: 'failed',
        amountMinor: 1_500n,
        failure: null,
      },
    ] as const;
    const rows = [row('capture', 'succeeded'), row('refund', 'declined', 1), row('refund', 'unknown', 2)];
    expect(told(rows, truth({ ...captured, actions }))).toEqual([]);
  });

  describe('a refund of the dashboard that bounces', () => {
    const refund = (reference: string | null, state: 'succeeded' | 'failed', amountMinor: bigint) =>
      ({ operation: 'refund', reference, state, amountMinor, failure: null }) as const;
    const bounced = (minor: bigint, ...more: ReturnType<typeof refund>[]) =>
      truth({
        ...captured,
        refundedMinor: more.reduce((total, { amountMinor }) => total + amountMinor, 0n),
        actions: [refund(null, 'failed', minor), ...more],
      });
    const rows = [row('capture', 'succeeded')];
    const mirrored = { refund: 500n };

    it('is told with its amount, and only what the gateway shows as failed', () => {
      const mirroredNow = { capture: 0n, refund: 700n };
      const amounts = (seen: Truth) =>
        reconcile(rows, seen, {
          isAsked: false,
          before: new Map(listRowStates(rows)),
          disputed: null,
          mirrored: mirroredNow,
          mirroredBefore: mirroredNow,
        }).map(({ verdict }) => verdict.amountMinor);
      expect(told(rows, bounced(500n), { mirrored })).toEqual(['refund failed external']);
      expect(amounts(bounced(500n, refund(null, 'succeeded', 200n)))).toEqual([500n]);
      expect(amounts(bounced(500n))).toEqual([]);
    });

    it('is not seen in a look that may be older than the refund', () => {
      expect(told(rows, bounced(500n), { mirrored, mirroredBefore: { refund: 0n } })).toEqual([]);
      expect(told(rows, captured, { mirrored })).toEqual([]);
    });

    it('is told beside a refund of ours only when that one is beyond doubt', () => {
      const own = { ...row('refund', 'succeeded'), amountMinor: 1_000n, resultMinor: 1_000n };
      const seen = bounced(500n, refund(own.idempotencyKey, 'succeeded', 1_000n));
      const all = [...rows, own];
      expect(told(all, seen, { mirrored, before: all })).toEqual(['refund failed external']);
      expect(told(all, seen, { mirrored, before: rows })).toEqual([]);
      expect(told([...rows, { ...own, state: 'unknown' }], seen, { mirrored })).not.toContain(
        'refund failed external',
      );
    });

    it('is no news twice, nor where nothing was captured', () => {
      expect(told(rows, bounced(500n))).toEqual([]);
      expect(
        told([], { ...bounced(500n), ...{ status: 'voided', capturedMinor: 0n } }, { mirrored }),
      ).toEqual(['authorise lapsed external']);
    });
  });

  it('a dispute and its end are told', () => {
    expect(told([row('capture', 'succeeded')], captured, { disputed: true })).toEqual([
      'dispute disputed external',
    ]);
    expect(told([row('capture', 'succeeded')], captured, { disputed: false })).toEqual([
      'dispute undisputed external',
    ]);
  });
});

describe('D6 what the gateway took back while a call of ours is in hand', () => {
  const gone = truth({ status: 'declined', isOpenToPayer: true });
  const refused = truth({
    status: 'captured',
    capturedMinor: 1_500n,
    actions: [
      {
        ...{ operation: 'refund', reference: 'test:a:refund:1', state: 'failed', amountMinor: 1_500n },
        failure: null,
      } as const,
    ],
  });
  const isEarly = (now: GatewayCall[], seen: Truth, before = now) =>
    isTooEarly(now, seen, new Map(listRowStates(before)));

  it('is told of a capture in doubt, whose hold is gone', () => {
    const rows = [row('capture', 'unknown')];
    expect(told(rows, gone, { before: rows })).toContain('capture lapsed');
    expect(isEarly(rows, gone)).toBe(false);
  });

  it.each([
    ['its answer is still to come', row('capture', 'started'), [row('capture', 'started')]],
    ['it was ordered after the gateway was asked', row('capture', 'unknown'), []],
  ])('is looked at again where %s', (_when, now, before) => {
    expect(told([now], gone, { before })).not.toContain('capture lapsed');
    expect(isEarly([now], gone, before)).toBe(true);
  });

  it.each([
    ['capture', gone],
    ['refund', refused],
  ] as const)('is looked at again where the success of a %s came meanwhile', (operation, seen) => {
    expect(told([row(operation, 'succeeded')], seen)).not.toContain(`${operation} failed`);
    expect(isEarly([row(operation, 'succeeded')], seen, [row(operation, 'started')])).toBe(true);
    expect(isEarly([row(operation, 'succeeded')], seen)).toBe(false);
  });

  it('keeps no callback waiting that says nothing of it', () => {
    expect(isEarly([], gone)).toBe(false);
    expect(isEarly([row('capture', 'started')], truth())).toBe(false);
    expect(isEarly([row('capture', 'succeeded')], captured, [row('capture', 'started')])).toBe(false);
    expect(isEarly([row('capture', 'started')], truth({ status: 'voided' }))).toBe(false);
  });
});
