import { describe, expect, it } from '@jest/globals';
import type { Group } from '../support/api.ts';
import { contradictions } from './judge.ts';
import { newRecord, type ClientRecord } from './record.ts';
import type { Views } from './views.ts';

type Changed<T> =
  T extends ReadonlyMap<unknown, unknown>
    ? T
    : T extends readonly (infer Item)[]
      ? Changed<Item>[]
      : T extends object
        ? { -readonly [Key in keyof T]: Changed<T[Key]> }
        : T;

/** One group of one slot, paid with one payment, in which all views agree; each test changes one view. */
function told(): Changed<Views> {
  const group = {
    group_payment: { id: 'group', state: 'paid', currency: 'EUR' },
    payment_slots: [{ id: 'slot', amount: 10, state: 'captured' }],
  } as unknown as Changed<Group>;
  const record = newRecord();
  record.created.push({ merchant: 'Demo', group_id: 'group', slot_ids: ['slot'] });
  record.paid.push({ payment_intent_id: 'payment', slot_ids: ['slot'] });
  record.confirmed.push('payment');
  record.travelled.push({ merchant: 'Demo', seconds: 60, isAnswered: true });
  const step = (entity: 'group' | 'slot' | 'intent', entity_id: string, from: string, to: string) => ({
    group_id: 'group',
    entity,
    entity_id,
    state_from: from,
    state_to: to,
  });
  return {
    api: [group],
    ledger: {
      groups: [{ id: 'group', merchant_id: 'merchant', state: 'paid', total_minor: '1000' }],
      intents: [
        {
          id: 'payment',
          group_id: 'group',
          psp_code: 'gateway_a',
          state: 'captured',
          amount_minor: '1000',
          tip_minor: '0',
          amount_captured: '1000',
          amount_refunded: '0',
          slot_ids: ['slot'],
        },
      ],
      events: [{ id: 'event', group_id: 'group', type: 'group_payment.paid', sequence: 1 }],
      transitions: [
        step('group', 'group', 'open', 'preauthorised'),
        step('group', 'group', 'preauthorised', 'paid'),
        step('slot', 'slot', 'unassigned', 'captured'),
        step('intent', 'payment', 'created', 'preauthorised'),
        step('intent', 'payment', 'preauthorised', 'captured'),
      ],
    },
    books: [
      {
        gateway: 'gateway_a',
        psp_reference: 'pi_1',
        payment_intent_id: 'payment',
        amount_minor: 1000,
        currency: 'EUR',
        status: 'captured',
        authorised_minor: 1000,
        captured_minor: 1000,
        refunded_minor: 0,
        calls: [{ operation: 'capture', at: '', outcome: 'ok' }],
      },
    ],
    heard: [{ id: 'event', type: 'group_payment.paid', group_id: 'group', sequence: 1 }],
    dead: [],
    clocks: new Map([['Demo', 60]]),
    record,
  };
}

function first<T>(items: T[]): T {
  return items[0] as T;
}

const lies: [string, (views: Changed<Views>) => void, string][] = [
  [
    'a journey in time counted twice',
    (v) => (v.clocks = new Map([['Demo', 120]])),
    'is 120 s ahead and was to go 60',
  ],
  ['a journey in time was lost', (v) => (v.clocks = new Map([['Demo', 0]])), 'is 0 s ahead and was to go 60'],
  [
    'the API shows another state',
    (v) => (first(v.api).group_payment.state = 'open'),
    'is shown open and kept paid',
  ],
  [
    'a slot does not follow its payment',
    (v) => (first(first(v.api).payment_slots).state = 'refunded'),
    'slot',
  ],
  [
    'a slot is paid twice',
    (v) => v.ledger.intents.push({ ...first(v.ledger.intents), id: 'second' }),
    'was paid 2 times',
  ],
  [
    'the gateway took twice',
    (v) => first(v.books).calls.push(first(first(v.books).calls)),
    'took effect 2 times',
  ],
  [
    'the gateway took another amount',
    (v) => (first(v.books).captured_minor = 999),
    'ledger captured 1000, gateway 999',
  ],
  [
    'a tip is not captured',
    (v) => (first(v.ledger.intents).tip_minor = '100'),
    'shows 1100 captured with its tips, the gateways took 1000',
  ],
  ['the gateway gave back', (v) => (first(v.books).refunded_minor = 1), 'ledger refunded 0, gateway 1'],
  [
    'the gateway holds for a stranger',
    (v) => v.books.push({ ...first(v.books), payment_intent_id: 'stranger' }),
    'knows nothing',
  ],
  [
    'an expired group was charged',
    (v) => {
      first(v.api).group_payment.state = 'expired';
      first(v.ledger.groups).state = 'expired';
    },
    'is expired and 1000 was captured',
  ],
  [
    'a hold stays',
    (v) => v.books.push({ ...first(v.books), status: 'authorised', captured_minor: 0, calls: [] }),
    'never released',
  ],
  ['an event is lost', (v) => v.heard.splice(0), 'was never heard'],
  ['an event is invented', (v) => v.heard.push({ ...first(v.heard), id: 'x' }), 'never happened'],
  ['an event is changed', (v) => (first(v.heard).sequence = 2), 'other than it happened'],
  [
    'paid is told twice',
    (v) => {
      v.heard.push({ ...first(v.heard), id: 'again' });
      v.ledger.events.push({ ...first(v.ledger.events), id: 'again' });
    },
    'was paid 1 times by its log',
  ],
  [
    'a step is missing in the log',
    (v) => v.ledger.transitions.splice(0, 1),
    'went from preauthorised while open',
  ],
  [
    'a step does not follow',
    (v) => (v.ledger.transitions[1]!.state_from = 'open'),
    'went from open while preauthorised',
  ],
  ['a group is lost', (v) => v.ledger.groups.splice(0), 'does not exist'],
  ['a payment is lost', (v) => v.ledger.intents.splice(0), 'does not exist'],
  ['a payment covers other slots', (v) => (first(v.record.paid).slot_ids = ['other']), 'other slots'],
  ['a hold that was promised is none', (v) => v.record.confirmed.push('other'), 'never taken'],
  [
    'a refund that was promised is none',
    (v) => answerRefund(v, { refunded_payment_intents: ['payment'] }),
    'never made',
  ],
  [
    'gateway_c gave back',
    (v) => {
      first(v.ledger.intents).psp_code = 'gateway_c';
      first(v.ledger.intents).amount_refunded = '1000';
    },
    'of gateway_c was given back',
  ],
  [
    'a refund by gateway_c was acknowledged',
    (v) => {
      first(v.ledger.intents).psp_code = 'gateway_c';
      answerRefund(v, { refunded_payment_intents: ['payment'] });
    },
    'was acknowledged by gateway_c',
  ],
  [
    'a refund by gateway_c fails for another reason',
    (v) => {
      first(v.ledger.intents).psp_code = 'gateway_c';
      const failed = [{ payment_intent_id: 'payment', psp_code: 'gateway_c', error: 'timeout' }];
      answerRefund(v, { failed });
    },
    'by gateway_c failed because "timeout"',
  ],
  [
    'a refund is said to be unavailable that is not',
    (v) => {
      const error =
        "refunds through the API are unavailable for gateway_c: refund it in the gateway's own dashboard";
      answerRefund(v, { failed: [{ payment_intent_id: 'payment', psp_code: 'gateway_a', error }] });
    },
    'by gateway_a failed because',
  ],
  [
    'a message is given up',
    (v) => v.dead.push({ id: 'message', consumer: 'ledger-outcomes', subject: 'cmd.x', reason: 'conflict' }),
    'ledger-outcomes gave up cmd.x message: conflict',
  ],
  ['a refund is answered with nothing', (v) => answerRefund(v, {}), 'concerns no payment'],
];

function answerRefund(views: Changed<Views>, answer: Partial<ClientRecord['refunded'][number]>): void {
  const nothing = { group_id: 'group', refunded_payment_intents: [], failed: [] };
  views.record.refunded.push({ ...nothing, ...answer });
}

describe('the judge of histories', () => {
  it('the judge of histories reports nothing when all views agree', () => {
    expect(contradictions(told() as Views)).toEqual([]);
  });

  it.each(lies)('the judge of histories notices when %s', (_title, lie, sentence) => {
    const views = told();
    lie(views);
    expect(contradictions(views as Views).join('\n')).toContain(sentence);
  });
});
