import { describe, expect, it } from '@jest/globals';
import type { GatewayCall } from './gateway-call.ts';
import type { CallState } from './gateway-call.machine.ts';
import type { Truth } from './payment.ts';
import type { ExternalAmounts } from './finding.ts';
import { isTooEarly, reconcile } from './reconcile.ts';

const truth = (more: Partial<Truth> = {}): Truth => ({
  pspReference: 'pi_1',
  status: 'authorised',
  amountMinor: 1_500n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  currency: 'EUR',
  captureBefore: null,
  isOpenToPayer: false,
  isDisputed: null,
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

const listFindings = (
  rows: GatewayCall[],
  seen: Truth,
  o: {
    isAsked?: boolean;
    doneBefore?: string[];
    before?: readonly GatewayCall[];
    disputed?: boolean;
    external?: Partial<ExternalAmounts>;
    externalBefore?: Partial<ExternalAmounts>;
  } = {},
) =>
  reconcile(rows, seen, {
    isAsked: o.isAsked ?? false,
    before: new Map([...listRowStates(o.before ?? []), ...(o.doneBefore ?? []).map(succeeded)]),
    disputed: o.disputed ?? null,
    external: { capture: 0n, refund: 0n, ...o.external },
    externalBefore: { capture: 0n, refund: 0n, ...o.external, ...o.externalBefore },
  }).map(({ operation, verdict, row: own }) => `${operation} ${verdict.status}${own ? '' : ' external'}`);

const captured = truth({ status: 'captured', capturedMinor: 1_500n });

describe('an outcome of a hold for the ledger', () => {
  it('a hold is returned to the ledger when the ledger may not know it', () =>
    expect(listFindings([row('prepare', 'succeeded')], truth())).toEqual(['authorise authorised external']));

  it('a hold is left out when the ledger has already ordered the capture', () =>
    expect(listFindings([row('capture', 'unknown')], truth())).toEqual([]));

  it('a hold is returned when the ledger queries it, even if it is known', () =>
    expect(listFindings([row('authorise', 'succeeded')], truth(), { isAsked: true })).toEqual([
      'authorise authorised',
    ]));

  it('a hold is left out when it is older than a void of ours that succeeded', () =>
    expect(listFindings([row('void', 'succeeded')], truth(), { isAsked: true })).toEqual([]));

  it('a hold is returned when it came after our void, which had found nothing (A8)', () =>
    expect(listFindings([row('void', 'succeeded')], truth(), { doneBefore: ['void-1'] })).toEqual([
      'authorise authorised external',
    ]));

  it.each([
    ['voided', 'authorise lapsed external'],
    ['lapsed', 'authorise lapsed external'],
    ['declined', 'authorise declined external'],
    ['authenticating', 'authorise authenticating external'],
  ] as const)('a hold in the state %s is reported as %s', (status, expected) =>
    expect(listFindings([], truth({ status }))).toEqual([expected]),
  );

  it.each(['awaiting_payer', 'processing'] as const)('a hold is left out while the payment is %s', (status) =>
    expect(listFindings([], truth({ status }))).toEqual([]),
  );
});

describe('an outcome of an operation for the ledger', () => {
  it.each(['started', 'unknown', 'failed', 'declined'] as const)(
    'an outcome settles the row of a capture that the gateway carried out (%s)',
    (state) => expect(listFindings([row('capture', state)], captured)).toEqual(['capture captured']),
  );

  it.each(['started', 'unknown'] as const)(
    'an outcome does not settle a refund that was sent before a dispute (%s)',
    (state) => {
      const disputed = { ...captured, isDisputed: true };
      const rows = [row('authorise', 'succeeded'), row('capture', 'succeeded'), row('refund', state)];
      expect(listFindings(rows, disputed)).toEqual([]);
      const refusal = { operation: 'refund', reference: 'test:a:refund:1', state: 'failed' } as const;
      const answered = { ...disputed, actions: [{ ...refusal, amountMinor: 1_500n, failure: null }] };
      expect(listFindings(rows, answered)).toEqual(['refund failed']);
    },
  );

  it('a capture without an order of ours is marked as external', () =>
    expect(listFindings([], captured)).toEqual([
      'authorise authorised external',
      'capture captured external',
    ]));

  it('a success that is already known is not returned again', () =>
    expect(listFindings([row('capture', 'succeeded')], captured)).toEqual([]));

  it('a capture that the gateway reversed later is reported as failed', () =>
    expect(listFindings([row('capture', 'succeeded')], truth(), { doneBefore: ['capture-1'] })).toEqual([
      'capture failed',
    ]));

  it('a query that is older than a capture leaves the capture unchanged', () =>
    expect(listFindings([row('capture', 'succeeded')], truth(), { doneBefore: [] })).toEqual([]));

  it('a capture without an order of ours that the scheme takes back is reported once, and not by an older query (D6)', () => {
    const rows = [row('prepare', 'succeeded')];
    const failed = {
      operation: 'capture',
      reference: null,
      state: 'failed',
      amountMinor: 1_500n,
      failure: null,
    } as const;
    const reversed = truth({ status: 'lapsed', actions: [failed] });
    const external = { capture: 1_500n };
    const isTold = ['authorise lapsed external', 'capture failed external'];
    expect(listFindings(rows, reversed, { external })).toEqual(isTold);
    expect(listFindings(rows, reversed)).not.toContain('capture failed external');
    expect(listFindings(rows, reversed, { external, externalBefore: { capture: 0n } })).not.toContain(
      'capture failed external',
    );
    expect(listFindings(rows, truth({ status: 'lapsed' }), { external })).not.toContain(
      'capture failed external',
    );
  });

  it('a partial refund made in the dashboard is reported as external', () =>
    expect(listFindings([row('capture', 'succeeded')], truth({ ...captured, refundedMinor: 200n }))).toEqual([
      'refund refunded external',
    ]));

  it('a refund made in the dashboard is reported once, and later only the difference', () => {
    const rows = [row('capture', 'succeeded')];
    const seen = truth({ ...captured, refundedMinor: 500n });
    const amounts = (external: bigint, refundedMinor = 500n) =>
      reconcile(
        rows,
        { ...seen, refundedMinor },
        {
          isAsked: false,
          before: new Map(),
          disputed: null,
          external: { capture: 0n, refund: external },
          externalBefore: { capture: 0n, refund: external },
        },
      ).map(({ verdict }) => verdict.amountMinor);
    expect(amounts(0n)).toEqual([500n]);
    expect(amounts(500n)).toEqual([]);
    expect(amounts(500n, 700n)).toEqual([200n]);
  });

  it('a capture made in the dashboard is reported once', () =>
    expect(listFindings([], captured, { external: { capture: 1_500n } })).toEqual([
      'authorise authorised external',
    ]));

  it('our own refund of the rest does not count as a refund made in the dashboard', () => {
    const own = { ...row('refund', 'succeeded'), amountMinor: 1_000n, resultMinor: 1_000n };
    const seen = truth({ ...captured, refundedMinor: 1_500n });
    expect(listFindings([row('capture', 'succeeded'), own], seen, { external: { refund: 500n } })).toEqual(
      [],
    );
  });

  it('an external refund is not reported while a refund of ours is unknown', () =>
    expect(
      listFindings(
        [row('capture', 'succeeded'), row('refund', 'unknown')],
        truth({ ...captured, refundedMinor: 200n }),
      ),
    ).toEqual([]));

  const refused = {
    operation: 'refund',
    reference: 'test:a:refund:1',
    state: 'failed',
    amountMinor: 1_500n,
    failure: null,
  } as const;

  it('a refund made in the dashboard after the gateway refused ours is reported as external, and ours is not (E8)', () => {
    const rows = [row('capture', 'succeeded'), row('refund', 'declined')];
    const seen = truth({ ...captured, refundedMinor: 1_500n, actions: [refused] });
    expect(listFindings(rows, seen)).toEqual(['refund refunded external']);
    expect(listFindings(rows, seen, { external: { refund: 1_500n } })).toEqual([]);
    const isOurs = { ...refused, state: 'succeeded' } as const;
    expect(listFindings(rows, { ...seen, actions: [isOurs] })).toEqual(['refund refunded']);
  });

  it('a refund of ours that failed later is reported as failed', () => {
    const actions = [refused];
    const rows = [row('capture', 'succeeded'), row('refund', 'succeeded')];
    expect(listFindings(rows, truth({ ...captured, actions }), { doneBefore: ['refund-1'] })).toEqual([
      'refund failed',
    ]);
  });

  it('the refusal of an earlier try does not apply to the newest one', () => {
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
    expect(listFindings(rows, truth({ ...captured, actions }))).toEqual([]);
  });

  describe('a refund made in the dashboard that fails later', () => {
    const refund = (reference: string | null, state: 'succeeded' | 'failed', amountMinor: bigint) =>
      ({ operation: 'refund', reference, state, amountMinor, failure: null }) as const;
    const bounced = (minor: bigint, ...more: ReturnType<typeof refund>[]) =>
      truth({
        ...captured,
        refundedMinor: more.reduce((total, { amountMinor }) => total + amountMinor, 0n),
        actions: [refund(null, 'failed', minor), ...more],
      });
    const rows = [row('capture', 'succeeded')];
    const external = { refund: 500n };

    it('a dashboard refund that fails later is reported with its amount, and only the part that the gateway shows as failed', () => {
      const externalNow = { capture: 0n, refund: 700n };
      const amounts = (seen: Truth) =>
        reconcile(rows, seen, {
          isAsked: false,
          before: new Map(listRowStates(rows)),
          disputed: null,
          external: externalNow,
          externalBefore: externalNow,
        }).map(({ verdict }) => verdict.amountMinor);
      expect(listFindings(rows, bounced(500n), { external })).toEqual(['refund failed external']);
      expect(amounts(bounced(500n, refund(null, 'succeeded', 200n)))).toEqual([500n]);
      expect(amounts(bounced(500n))).toEqual([]);
    });

    it('a dashboard refund that fails later is not reported from a query that may be older than the refund', () => {
      expect(listFindings(rows, bounced(500n), { external, externalBefore: { refund: 0n } })).toEqual([]);
      expect(listFindings(rows, captured, { external })).toEqual([]);
    });

    it('a dashboard refund that fails later is reported beside a refund of ours only when the result of ours is certain', () => {
      const own = { ...row('refund', 'succeeded'), amountMinor: 1_000n, resultMinor: 1_000n };
      const seen = bounced(500n, refund(own.idempotencyKey, 'succeeded', 1_000n));
      const all = [...rows, own];
      expect(listFindings(all, seen, { external, before: all })).toEqual(['refund failed external']);
      expect(listFindings(all, seen, { external, before: rows })).toEqual([]);
      expect(listFindings([...rows, { ...own, state: 'unknown' }], seen, { external })).not.toContain(
        'refund failed external',
      );
    });

    it('a dashboard refund that fails later is not reported twice, nor for a payment that was never captured', () => {
      expect(listFindings(rows, bounced(500n))).toEqual([]);
      expect(
        listFindings([], { ...bounced(500n), ...{ status: 'voided', capturedMinor: 0n } }, { external }),
      ).toEqual(['authorise lapsed external']);
    });
  });

  it('the start and the end of a dispute are reported', () => {
    expect(listFindings([row('capture', 'succeeded')], captured, { disputed: true })).toEqual([
      'dispute disputed external',
    ]);
    expect(listFindings([row('capture', 'succeeded')], captured, { disputed: false })).toEqual([
      'dispute undisputed external',
    ]);
  });
});

describe('a reversal at the gateway while a call of ours is in hand (D6)', () => {
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

  it('a reversal at the gateway is reported for an unknown capture whose hold is gone (D6)', () => {
    const rows = [row('capture', 'unknown')];
    expect(listFindings(rows, gone, { before: rows })).toContain('capture lapsed');
    expect(isEarly(rows, gone)).toBe(false);
  });

  it.each([
    ['its answer is still to come', row('capture', 'started'), [row('capture', 'started')]],
    ['it was ordered after the gateway was queried', row('capture', 'unknown'), []],
  ])('a reversal at the gateway is checked again later when %s (D6)', (_when, now, before) => {
    expect(listFindings([now], gone, { before })).not.toContain('capture lapsed');
    expect(isEarly([now], gone, before)).toBe(true);
  });

  it.each([
    ['capture', gone],
    ['refund', refused],
  ] as const)(
    'a reversal at the gateway is checked again later when the success of a %s arrived meanwhile (D6)',
    (operation, seen) => {
      expect(listFindings([row(operation, 'succeeded')], seen)).not.toContain(`${operation} failed`);
      expect(isEarly([row(operation, 'succeeded')], seen, [row(operation, 'started')])).toBe(true);
      expect(isEarly([row(operation, 'succeeded')], seen)).toBe(false);
    },
  );

  it('a reversal check does not delay a callback that reports no reversal (D6)', () => {
    expect(isEarly([], gone)).toBe(false);
    expect(isEarly([row('capture', 'started')], truth())).toBe(false);
    expect(isEarly([row('capture', 'succeeded')], captured, [row('capture', 'started')])).toBe(false);
    expect(isEarly([row('capture', 'started')], truth({ status: 'voided' }))).toBe(false);
  });
});
