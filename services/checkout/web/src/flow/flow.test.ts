import type { CardOutcome, PayResponse } from '../gateways/card-form.ts';
import { UNANSWERED } from '../net/failure.ts';
import { restore, toSave } from '../state/model.ts';
import { makeBootstrap, prepared, ready, refusal, scene, makeStatus } from './fixtures.ts';
import { reasonText } from './declines.ts';
import { begin, pay } from './pay.ts';
import { resume } from './resume.ts';

/** The group after its only capture was refused. */
const failed = {
  state: 'capture_failed',
  facts: { is_collecting: false, awaits_payers: false, is_settled: true },
} as const;

const NOTHING_EARLY = { selected: [], email: '', name: '' };

describe('taking shares', () => {
  it('the page asks for the card once the shares are reserved', async () => {
    const { context, model, asked } = ready('s1');
    await begin(context);
    expect(model.step.value).toBe('card');
    expect(asked.map(({ request }) => request.slot_ids)).toEqual([['s1']]);
  });

  it('the page repeats a lost request under the same Idempotency-Key until it is answered', async () => {
    const { context, model, script, asked } = ready('s1');
    script.pay.push(UNANSWERED, UNANSWERED, refusal('internal_error', 500));
    await begin(context);
    expect(asked).toHaveLength(4);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(model.step.value).toBe('card');
    expect(model.waiting.value).toBeNull();
  });

  it('the page waits as long as a limit asks for (Q11)', async () => {
    const { context, script, pauses } = ready('s1');
    script.pay.push({ ...refusal('rate_limited', 429), retryAfterSeconds: 30 });
    await begin(context);
    expect(pauses).toEqual([30_000]);
  });

  it('the page offers an equal free share to the loser of a race, and never the taken one (A1, A2)', async () => {
    const { context, model, script, receive, errors } = ready('s1');
    script.pay.push(refusal('no_payable_slots'));
    const beginning = begin(context);
    receive({ s1: 'assigned' });
    await beginning;
    expect(model.step.value).toBe('choose');
    expect(model.selected.value).toEqual(['s2']);
    expect(model.notice.value).toMatchObject({ kind: 'lost' });
    expect(errors).toEqual(['slotTaken']);
  });

  it('the page shows at once that another payer took a chosen share', () => {
    const { model, receive } = ready('s3');
    receive({ s3: 'assigned' });
    expect(model.selected.value).toEqual(['s1']);
    expect(model.spoken.value).toMatch(/Share 3 has just been taken/);
  });

  it('the page says that a merchant has no gateway', async () => {
    const { context, model, script } = ready('s1');
    script.pay.push(refusal('no_active_gateway'));
    await begin(context);
    expect(model.notice.value).toEqual({ kind: 'reason', reason: 'noGateway' });
  });

  it('the page asks a payer who has paid on this device before it reserves anything more', async () => {
    const { context, model, asked } = ready('s2');
    model.made.value = [{ intentId: 'i', slotIds: ['s1'] }];
    await begin(context);
    expect([asked, model.asksAgain.value]).toEqual([[], true]);
    model.isMeantAgain.value = true;
    await begin(context);
    expect(asked.map(({ request }) => request.slot_ids)).toEqual([['s2']]);
  });

  it('the page asks for a choice before it calls the server', async () => {
    const { context, model, asked } = ready();
    await begin(context);
    expect(asked).toEqual([]);
    expect(model.notice.value).toEqual({ kind: 'reason', reason: 'chooseFirst' });
  });

  it.each(['', ' ', 'ana', 'ana @payers.example', 'ana@payers,example'])(
    'an address that is missing or none is asked for before anything is sent, which is no failure: %p',
    async (typed) => {
      const { context, model, asked, errors } = ready('s1');
      model.email.value = typed;
      await begin(context);
      expect([model.step.value, model.notice.value]).toEqual([
        'choose',
        { kind: 'reason', reason: 'badEmail' },
      ]);
      expect([model.refusals.value, asked, errors]).toEqual([1, [], []]);
    },
  );

  it('the page leaves for the bank where the bank asks for the card', async () => {
    const page = scene(
      makeBootstrap(3, { gateway: { psp_code: 'gateway_c', bank: 'https://bank.example' } }),
    );
    page.model.selected.value = ['s1'];
    page.model.email.value = 'ana@payers.example';
    page.script.pay.push(prepared('order', ['s1'], 'gateway_c'));
    await begin(page.context);
    expect(page.left).toEqual(['order']);
    expect(page.model.begun.value).toMatchObject({ intentId: 'order', isSubmitted: true });
  });
});

describe('paying', () => {
  it('a payer whose card asks for 3-D Secure leaves for the bank, and the payment is read first when the page is open again (Q51)', async () => {
    const { context, model, script } = ready('s1');
    const opened: unknown[] = [];
    Object.assign(globalThis, { open: (...to: unknown[]) => void opened.push(to) });
    script.card.push({ kind: 'challenged', url: 'https://bank.example/3ds' });
    await begin(context);
    await pay(context, 'Ana');
    expect(opened).toEqual([['https://bank.example/3ds', '_top']]);
    expect([model.step.value, model.begun.value?.isSubmitted]).toEqual(['leaving', true]);
  });

  it('a payment counts as held only when the server reports it', async () => {
    const { context, model, script, completed } = ready('s1');
    script.status.push(makeStatus('intent-1', 'pending'), UNANSWERED, makeStatus('intent-1', 'held'));
    await begin(context);
    await pay(context, 'Ana');
    await Promise.resolve();
    expect(model.step.value).toBe('done');
    expect(model.made.value).toMatchObject([{ intentId: 'intent-1', slotIds: ['s1'] }]);
    expect(completed).toEqual(['open']);
  });

  it('the decline of an earlier card is not the answer to this one (B4)', async () => {
    const { context, model, script } = ready('s1');
    const declined = { failure_code: 'card_declined' };
    script.status.push(makeStatus('intent-1', 'failed', declined), makeStatus('intent-1', 'held'));
    await begin(context);
    await pay(context, 'Ana');
    expect(model.step.value).toBe('done');
  });

  /** The page of a payer whose hold is the last one, and whose charge is refused at once. */
  function lastOne() {
    const page = ready('s1');
    page.script.status.push(makeStatus('intent-1', 'capture_failed', { failure_code: 'card_declined' }));
    return page;
  }

  it('a charge that is refused at once is the result of this payment, whatever the bank replied to the hold (D5)', async () => {
    const { context, model, errors, completed, pauses, receive } = lastOne();
    await begin(context);
    receive({ s1: 'cancelled' }, failed);
    await pay(context, 'Ana');
    expect(pauses).toEqual([]);
    expect([model.step.value, [...model.own.value]]).toEqual(['done', ['s1']]);
    expect([errors, completed]).toEqual([['captureFailed'], []]);
  });

  it('the page does not show a payer as in who is not, while the end of the group is on its way (D5)', async () => {
    const { context, model, script, receive } = lastOne();
    script.status.push(...script.status);
    const steps: string[] = [];
    await begin(context);
    context.pause = () => {
      steps.push(model.step.value);
      receive({ s1: 'cancelled' }, failed);
      return Promise.resolve();
    };
    await pay(context, 'Ana');
    expect([steps, model.step.value]).toEqual([['paying'], 'done']);
  });

  it('the page shows at once a hold that was placed after the end of the group (B7)', async () => {
    const { context, model, script, pauses } = ready('s1');
    script.status.push(makeStatus('intent-1', 'failed', { failure_code: 'group_expired' }));
    await begin(context);
    await pay(context, 'Ana');
    expect([pauses, model.made.value]).toEqual([[], []]);
  });

  it('a payer whose time ran out is not told that somebody else took the shares, whatever the expiry captured (C1, Q90)', async () => {
    const ended = { state: 'partially_paid', facts: failed.facts } as const;
    const { context, model, script, receive, errors } = ready('s1');
    script.card.push({ kind: 'failure', failure: refusal('group_expired', 409) });
    await begin(context);
    await pay(context, 'Ana');
    receive({ s1: 'expired', s2: 'captured' }, ended);
    expect([model.step.value, model.notice.value, errors]).toEqual(['choose', null, []]);
    expect(model.spoken.value).not.toMatch(/taken/);

    const unsent = ready('s1');
    await begin(unsent.context);
    unsent.receive({ s1: 'assigned' });
    unsent.receive({ s1: 'expired', s2: 'captured' }, ended);
    expect(unsent.model.notice.value).toBeNull();
    expect(unsent.model.spoken.value).not.toMatch(/taken/);
  });

  it('a payer whose time ran out before the card was sent is told of no hold, also when the picture came before the answer (C1)', async () => {
    const { context, model, receive } = ready('s1');
    const { pay: send } = context.api;
    context.api.pay = (...request) => {
      receive({ s1: 'assigned' });
      return send(...request);
    };
    await begin(context);
    expect([...model.own.value]).toEqual(['s1']);
    receive({ s1: 'expired', s2: 'expired' }, { state: 'expired', facts: failed.facts });
    expect([model.awaitsPayers.value, model.mine.value]).toEqual([false, []]);
  });

  it('the page keeps the shares chosen after a declined card and takes them anew for the next one (B8)', async () => {
    const { context, model, script, asked } = ready('s1');
    script.card.push({ kind: 'refused', reason: 'declined' });
    await begin(context);
    await pay(context, 'Ana');
    expect([model.step.value, model.selected.value]).toEqual(['card', ['s1']]);
    expect(model.notice.value).toEqual({ kind: 'reason', reason: 'declined' });

    await pay(context, 'Ana');
    expect(model.step.value).toBe('done');
    expect(asked.map(({ request }) => request.slot_ids)).toEqual([['s1'], ['s1']]);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(2);
  });

  const noMoney = 'There is not enough money on this card. Your card was declined.';

  it('a decline that may be explained is, whether the library, the API or the bank named it, and hosts get its code', async () => {
    const byLibrary = ready('s1');
    byLibrary.script.card.push({ kind: 'refused', reason: 'declined', why: 'insufficient_funds' });
    const byApi = ready('s1');
    byApi.script.card.push({ kind: 'failure', failure: refusal('card_declined', 402) });
    const known = { failure_code: 'card_declined', decline_reason: 'insufficient_funds' as const };
    byApi.script.status.push(makeStatus('intent-1', 'failed', known));
    for (const { context, model, errors } of [byLibrary, byApi]) {
      await begin(context);
      await pay(context, 'Ana');
      expect(model.notice.value).toEqual({ kind: 'reason', reason: 'insufficient_funds' });
      expect([model.step.value, errors]).toEqual(['card', ['declined']]);
    }
    expect(reasonText(byApi.context.t, 'insufficient_funds')).toMatch(new RegExp(`^${noMoney}`));
    const answer = makeStatus('intent-1', 'failed', known);
    const atBank = scene(makeBootstrap(3, { returned: answer.kind === 'ok' ? answer.body : null }));
    await resume(atBank.context);
    expect(atBank.model.notice.value).toEqual({ kind: 'reason', reason: 'insufficient_funds' });
  });

  it('a decline with an unknown reason, or one that cannot be looked up, stays plain', async () => {
    for (const status of [
      makeStatus('intent-1', 'failed', { failure_code: 'card_declined', decline_reason: null }),
      makeStatus('intent-1', 'failed', { decline_reason: 'news' as 'expired_card' }),
      UNANSWERED,
    ]) {
      const { context, model, script } = ready('s1');
      script.card.push({ kind: 'failure', failure: refusal('card_declined', 402) });
      script.status.push(status);
      await begin(context);
      await pay(context, 'Ana');
      expect(model.notice.value).toEqual({ kind: 'reason', reason: 'declined' });
    }
  });

  it('the page shows that nothing was charged when the hold came too late for the share (A8)', async () => {
    const { context, model, script, completed } = ready('s1');
    script.status.push(makeStatus('intent-1', 'released', { failure_code: 'slot_no_longer_available' }));
    await begin(context);
    await pay(context, 'Ana');
    expect([model.step.value, model.notice.value]).toEqual([
      'choose',
      { kind: 'reason', reason: 'slotTaken' },
    ]);
    expect([model.made.value, completed]).toEqual([[], []]);
  });

  it('the page sends no card for a reservation that has lapsed and passed to another payer (A8)', async () => {
    const { context, model, receive, asked } = ready('s1');
    await begin(context);
    receive({ s1: 'assigned' });
    receive({ s1: 'unassigned' });
    receive({ s1: 'assigned' });
    expect([model.reservation.value, model.selected.value]).toEqual(['gone', ['s2']]);
    await pay(context, 'Ana');
    expect(asked.map(({ request }) => request.slot_ids)).toEqual([['s1'], ['s2']]);
    expect(model.made.value).toMatchObject([{ intentId: 'intent-2', slotIds: ['s1'] }]);
  });

  it('shares of a declined card are not told as lost while the picture still shows them taken', async () => {
    for (const before of ['assigned', 'unassigned'] as const) {
      const { context, model, script, receive, asked } = ready('s1');
      script.card.push({ kind: 'refused', reason: 'declined' });
      await begin(context);
      receive({ s1: before });
      await pay(context, 'Ana');
      receive({ s2: 'preauthorised' });
      receive({ s1: 'assigned' });
      expect([model.selected.value, model.notice.value]).toEqual([
        ['s1'],
        { kind: 'reason', reason: 'declined' },
      ]);
      receive({ s1: 'unassigned' });
      expect([model.reservation.value, model.selected.value]).toEqual(['gone', ['s1']]);
      await pay(context, 'Ana');
      expect(asked.map(({ request }) => request.slot_ids)).toEqual([['s1'], ['s1']]);
      expect(model.step.value).toBe('done');
    }
  });

  it('the share of a declined card that another payer takes afterwards is told as lost', async () => {
    const { context, model, script, receive } = ready('s1');
    script.card.push({ kind: 'refused', reason: 'declined' });
    await begin(context);
    receive({ s1: 'assigned' });
    await pay(context, 'Ana');
    receive({ s1: 'unassigned' });
    receive({ s1: 'assigned' });
    expect([model.selected.value, model.notice.value?.kind]).toEqual([['s2'], 'lost']);
  });

  it('the page promises shares for no longer than the bill is open', async () => {
    const { context, model, receive } = ready('s1');
    await begin(context);
    receive({ s1: 'assigned' });
    const later = { held_until: '2026-01-01T02:00:00.000Z' };
    model.live.value = {
      ...model.live.value,
      slots: model.live.value.slots.map((slot) => ({ ...slot, ...later })),
    };
    expect(model.reservedMs.value).toBe(model.groupLeftMs.value);
  });

  it('the page drops a reservation that lapses while other shares are looked at', async () => {
    const { context, model, receive } = ready('s1');
    await begin(context);
    receive({ s1: 'assigned' });
    model.step.value = 'choose';
    receive({ s1: 'unassigned' });
    expect([model.own.value.size, model.begun.value, model.selected.value]).toEqual([0, null, ['s1']]);
  });

  it('the page queries a payment without a response instead of paying again (R5)', async () => {
    const { context, model, script, asked } = ready('s1');
    script.card.push({ kind: 'unknown' });
    script.status.push(UNANSWERED, makeStatus('intent-1', 'held'));
    await begin(context);
    await pay(context, 'Ana');
    expect(model.step.value).toBe('done');
    expect(asked).toHaveLength(1);
  });

  it('the page does not send a second card while the first is on its way', async () => {
    const { context, script } = ready('s1');
    script.card.push({ kind: 'held' }, { kind: 'held' });
    await begin(context);
    const first = pay(context, 'Ana');
    await pay(context, 'Ana');
    await first;
    expect(script.card).toHaveLength(1);
  });

  it('a wallet pays as a card does, also before the card form is ready, and not while a card is on its way (Q89)', async () => {
    const { context, model, script } = ready('s1');
    const sent: string[] = [];
    const consent = (outcome: CardOutcome) => (payment: PayResponse, holder: string) => {
      sent.push(`${payment.payment_intent_id} ${holder}`);
      return Promise.resolve(outcome);
    };
    context.cardForm = undefined;
    await begin(context);
    await pay(context, 'Ana', consent({ kind: 'refused', reason: 'declined', why: 'insufficient_funds' }));
    expect([model.step.value, model.reservation.value]).toEqual(['card', 'refused']);
    expect(model.notice.value).toEqual({ kind: 'reason', reason: 'insufficient_funds' });
    const second = pay(context, 'Ana', consent({ kind: 'held' }));
    await pay(context, 'Ana', consent({ kind: 'held' }));
    script.status.push(makeStatus('intent-2', 'held'));
    await second;
    expect(sent).toEqual(['intent-1 Ana', 'intent-2 Ana']);
    expect(model.step.value).toBe('done');
  });

  it('the page offers to pay again when a bank has released a hold (C4)', async () => {
    const { context, model, script, receive } = ready('s1');
    await begin(context);
    receive({ s1: 'assigned' });
    await pay(context, 'Ana');
    receive({ s1: 'preauthorised' });
    script.status.push(makeStatus('intent-1', 'failed'));
    receive({ s1: 'unassigned' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(model.notice.value).toEqual({ kind: 'reason', reason: 'holdLost' });
    expect(model.made.value).toEqual([]);
  });
});

describe('a page that is loaded again', () => {
  /** The same tab, after a reload: it has only what was saved. */
  function reloaded(page: ReturnType<typeof scene>, slots = makeBootstrap(3)) {
    const next = scene(slots);
    restore(
      next.model,
      JSON.parse(JSON.stringify(toSave(page.model))) as ReturnType<typeof toSave>,
      NOTHING_EARLY,
    );
    return next;
  }

  it('a reloaded page shows the reservation again, by the same request under the same key', async () => {
    const before = ready('s2');
    await begin(before.context);
    const after = reloaded(before);
    after.script.status.push(makeStatus('intent-1', 'pending'));
    await resume(after.context);
    expect(after.model.step.value).toBe('card');
    expect(after.asked).toEqual(before.asked);
  });

  it('a reloaded page does not take a reservation for its own that lapsed and passed to another payer', async () => {
    const before = ready('s2');
    await begin(before.context);
    const taken = makeBootstrap(3);
    const slots = taken.group.slots.map((slot) =>
      slot.id === 's2' ? { ...slot, state: 'assigned' as const } : slot,
    );
    const after = reloaded(before, { ...taken, group: { ...taken.group, slots } });
    after.script.status.push(makeStatus('intent-1', 'released'));
    await resume(after.context);
    expect([after.model.step.value, after.model.selected.value]).toEqual(['choose', ['s1']]);
    expect([after.asked, after.model.own.value.size]).toEqual([[], 0]);
  });

  it('a reloaded page finishes a request that was cut off, under the same key', async () => {
    const before = ready('s2');
    before.model.begun.value = {
      key: 'the-key',
      request: { customer_email: 'ana@payers.example', slot_ids: ['s2'] },
    };
    const after = reloaded(before);
    await resume(after.context);
    expect(after.asked.map(({ key }) => key)).toEqual(['the-key']);
  });

  it('a reloaded page queries a card that was sent before it asks for another', async () => {
    const before = ready('s1');
    await begin(before.context);
    before.model.begun.value = { ...before.model.begun.value!, isSubmitted: true };
    const after = reloaded(before);
    await resume(after.context);
    expect(after.model.step.value).toBe('done');
    expect(after.asked).toEqual([]);
  });

  it('a reloaded page shows the result of a payment whose charge was refused meanwhile (D5)', async () => {
    const before = ready('s1');
    await begin(before.context);
    const group = { ...makeBootstrap(3).group, state: 'capture_failed' as const };
    const after = reloaded(before, makeBootstrap(3, { group }));
    after.script.status.push(makeStatus('intent-1', 'capture_failed'));
    await resume(after.context);
    expect([after.model.step.value, [...after.model.own.value]]).toEqual(['done', ['s1']]);
  });

  it('a page after the bank shows what the server knows, whatever the address says (B6)', async () => {
    const failed = makeStatus('order', 'failed', { failure_code: 'card_declined' });
    const returned = failed.kind === 'ok' ? failed.body : null;
    const page = scene(
      makeBootstrap(3, { returned, gateway: { psp_code: 'gateway_c', bank: 'https://bank.example' } }),
    );
    page.context.cardForm = undefined;
    await resume(page.context);
    expect([page.model.step.value, page.model.selected.value]).toEqual(['choose', ['s1']]);
    expect(page.model.notice.value).toEqual({ kind: 'reason', reason: 'declined' });
  });

  it('a page does not report a declined card to a payer who turned back at the bank', async () => {
    const left = makeStatus('order', 'failed', { failure_code: 'cancelled_by_payer' });
    const page = scene(makeBootstrap(3, { returned: left.kind === 'ok' ? left.body : null }));
    await resume(page.context);
    expect(page.model.notice.value).toEqual({ kind: 'reason', reason: 'bankLeft' });
  });

  it('the page stores no card, token or client secret', async () => {
    const page = ready('s1');
    await begin(page.context);
    expect(page.model.started.value).toHaveProperty('client_secret');
    expect(JSON.stringify(toSave(page.model))).not.toMatch(/secret|token|card/);
  });
});
