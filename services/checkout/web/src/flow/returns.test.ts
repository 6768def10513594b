import { describe, expect, it } from '@jest/globals';
import { restore } from '../state/model.ts';
import { NOTHING, type Begun } from '../state/saved.ts';
import { makeBootstrap, makeStatus, ready, scene } from './fixtures.ts';
import { joinPayments } from './join-payments.ts';
import { begin, pay } from './pay.ts';
import { resume, tryAgain } from './resume.ts';

const BANK = 'https://bank.example/3ds';
const others = [{ intentId: 'of another tab', slotIds: ['s2'] }];

describe('a payment of another tab', () => {
  it.each(['choose', 'card'] as const)(
    'a payer who was about to pay here sees the receipt, and no reservation is left: at the step %s',
    async (step) => {
      const { context, model } = ready('s1');
      if (step === 'card') await begin(context);
      expect(model.step.value).toBe(step);
      joinPayments(context, others);
      expect([model.step.value, model.begun.value, model.selected.value]).toEqual(['done', null, []]);
      expect(model.made.value).toEqual(others);
    },
  );

  it('a card that was sent goes on, and both payments are known', async () => {
    const { context, model, script } = ready('s1');
    script.card.push({ kind: 'challenged', url: BANK });
    Object.assign(globalThis, { open: () => undefined });
    await begin(context);
    await pay(context, 'Ana');
    joinPayments(context, others);
    expect([model.step.value, model.begun.value?.isSubmitted]).toEqual(['leaving', true]);
    expect(model.made.value).toEqual(others);
  });

  it('a further payment that is meant is not broken off, and what is known already changes nothing', async () => {
    const { context, model } = ready('s1');
    model.isMeantAgain.value = true;
    await begin(context);
    joinPayments(context, others);
    expect(model.step.value).toBe('card');
    model.isMeantAgain.value = false;
    joinPayments(context, others);
    expect([model.step.value, model.made.value]).toEqual(['card', others]);
  });
});

it('a payer who comes back before the bank has an answer is led to its page again once, and then asked for a card', async () => {
  const { context, model, script, asked } = ready('s1');
  const opened: unknown[] = [];
  Object.assign(globalThis, { open: (...to: unknown[]) => void opened.push(to) });
  script.card.push({ kind: 'challenged', url: BANK });
  await begin(context);
  await pay(context, 'Ana');
  model.step.value = 'checking';
  await tryAgain(context);
  expect([model.step.value, model.begun.value?.isSubmitted]).toEqual(['leaving', true]);
  expect(opened).toEqual([
    [BANK, '_top'],
    [BANK, '_top'],
  ]);
  expect(asked).toHaveLength(1);

  model.step.value = 'checking';
  await tryAgain(context);
  expect(model.step.value).toBe('card');
  expect(opened).toHaveLength(2);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
});

describe('a page that still has the address of an earlier return', () => {
  const slotIds = ['s1'];
  const earlier = { payment_intent_id: 'earlier', failure_code: null, slot_ids: slotIds } as const;
  const underWay = {
    key: 'key',
    request: { customer_email: 'ana@payers.example', slot_ids: slotIds },
    intentId: 'under way',
    isSubmitted: true,
  } as const;
  const open = (status: 'released' | 'held', begun: Begun) => {
    const page = scene(makeBootstrap(3, { returned: { ...earlier, status } }));
    restore(page.model, { ...NOTHING, begun }, NOTHING);
    page.receive({ s1: 'assigned' });
    return page;
  };

  it('the payment under way is asked for, and its share is nobody else’s', async () => {
    const { context, model, script } = open('released', underWay);
    script.status.push(makeStatus('under way', 'pending'), makeStatus('under way', 'held'));
    await resume(context);
    expect(model.notice.value).toBeNull();
    expect([model.step.value, model.made.value]).toMatchObject(['done', [{ intentId: 'under way' }]]);
  });

  it('the outcome of the very payment that returned is shown', async () => {
    const { context, model } = open('held', { ...underWay, intentId: 'earlier' });
    await resume(context);
    expect([model.step.value, model.made.value]).toMatchObject(['done', [{ intentId: 'earlier' }]]);
  });
});
