import { describe, expect, it } from '@jest/globals';
import type { Bootstrap } from '../bootstrap.ts';
import { nameShare } from '../slots/slot.ts';
import { checkoutModel, restore, toSave, type Model } from '../state/model.ts';
import { NOTHING, type Saved } from '../state/saved.ts';
import { makeBootstrap, scene } from './fixtures.ts';
import { resume } from './resume.ts';

const link = (slot: number, o: Partial<Bootstrap['group']> = {}): Bootstrap => {
  const plain = makeBootstrap(3);
  return { ...plain, slot, group: { ...plain.group, ...o } };
};
const { slots } = makeBootstrap(3).group;
const taken = slots.map((slot) => (slot.id === 's2' ? { ...slot, state: 'assigned' as const } : slot));
const over = { is_collecting: false, awaits_payers: false, is_settled: true };

/** The selection of a page that opens with what a tab and a device have kept. */
const open = (bootstrap: Bootstrap, saved: Partial<Saved>): Model => {
  const model = checkoutModel(bootstrap);
  restore(model, { ...NOTHING, ...saved }, NOTHING);
  return model;
};

describe('the page of a link for one share', () => {
  it('the page opens with the share of the link chosen, and shows no message (Q72)', async () => {
    const { context, model, asked } = scene(link(2));
    await resume(context);
    expect([model.selected.value, model.notice.value, asked]).toEqual([['s2'], null, []]);
  });

  it('the page says that another payer has the share of the link, and chooses no other share (Q72)', async () => {
    const { context, model } = scene(link(2, { slots: taken }));
    await resume(context);
    expect(model.selected.value).toEqual([]);
    expect(model.notice.value).toMatchObject({ kind: 'lost', losses: [{ lost: { number: 2 } }] });
    expect(model.spoken.value).toBe('Share 2 has already been taken.');
  });

  it('the page shows no message where this payer has the share of the link, or the bill has ended (Q72)', async () => {
    const mine = scene(link(2, { slots: taken }));
    mine.model.made.value = [{ intentId: 'i', slotIds: ['s2'] }];
    const ended = scene(link(2, { slots: taken, state: 'expired', facts: over }));
    for (const { context, model } of [mine, ended]) {
      await resume(context);
      expect(model.notice.value).toBeNull();
    }
    expect(mine.model.step.value).toBe('done');
  });

  it('a reload keeps the choice of the payer, and the link for another share replaces it (Q72)', () => {
    const first = open(link(2), {});
    first.selected.value = ['s3'];
    const saved = JSON.parse(JSON.stringify(toSave(first))) as Saved;
    expect(open(link(2), saved).selected.value).toEqual(['s3']);
    expect(open(link(1), saved).selected.value).toEqual(['s1']);
    expect(open(makeBootstrap(3), saved).selected.value).toEqual(['s3']);
  });

  it('the link for a further share chooses it for a payer who has paid before, but not while a payment is under way (Q72)', () => {
    const made = [{ intentId: 'i', slotIds: ['s1'] }];
    expect(open(link(2), { made }).selected.value).toEqual(['s2']);
    const begun = { key: 'k', request: { customer_email: 'ana@payers.example', slot_ids: ['s3'] } };
    expect(open(link(2), { begun, selected: ['s3'] }).selected.value).toEqual(['s3']);
  });
});

it('a sentence names a share by its number and its label, which keeps its own direction (Q71)', () => {
  const labelled = slots.map((slot, at) => (at === 0 ? { ...slot, label: 'نرگس (1)' } : slot));
  const { context, model } = scene(link(1, { slots: labelled }));
  expect(model.slots.value.map((slot) => nameShare(context.t, slot))).toEqual([
    'Share 1 (\u2068نرگس (1)\u2069)',
    'Share 2',
    'Share 3',
  ]);
});
