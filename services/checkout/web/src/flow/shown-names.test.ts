import { expect, it } from '@jest/globals';
import type { LiveSlot } from '../bootstrap.ts';
import { restore, toSave } from '../state/model.ts';
import { makeBootstrap, makeStatus, scene } from './fixtures.ts';
import { begin, pay } from './pay.ts';
import { resume } from './resume.ts';
import { applyPicture } from './watch.ts';

/** A payer who has chosen a share and typed a name. */
function ready(showsName: boolean) {
  const page = scene(makeBootstrap(3));
  page.model.selected.value = ['s1'];
  page.model.email.value = 'ana@payers.example';
  page.model.name.value = ' Ana ';
  page.model.showsName.value = showsName;
  return page;
}

it('the request to pay says that the name is shown where the payer agreed, and nothing of it otherwise (Q97)', async () => {
  const agreed = ready(true);
  await begin(agreed.context);
  expect(agreed.asked[0]?.request).toMatchObject({ customer_name: 'Ana', show_name: true });
  const silent = ready(false);
  await begin(silent.context);
  expect(JSON.stringify(silent.asked[0]?.request)).not.toContain('show_name');
});

it('a name is sent without the characters that nobody sees and that the API refuses, and keeps the joiners (Q97)', async () => {
  for (const [typed, sent] of [
    ['\u200eAna\u200b \u202aLópez\u202c\ufeff', 'Ana López'],
    ['نرگس\u200cسادات', 'نرگس\u200cسادات'],
    ['\u200b', undefined],
  ] as const) {
    const { context, model, asked } = ready(false);
    model.name.value = typed;
    await begin(context);
    expect(asked[0]?.request.customer_name).toBe(sent);
  }
});

it('a payer who changes his mind before the card sends another request (Q97)', async () => {
  const { context, model, asked } = ready(true);
  await begin(context);
  model.step.value = 'choose';
  model.showsName.value = false;
  await begin(context);
  expect(asked.map(({ request }) => request.show_name)).toEqual([true, undefined]);
  expect(asked[0]?.key).not.toBe(asked[1]?.key);
});

it('a reloaded page sends the request with the consent again under the same key, and the next payment begins without it (Q97)', async () => {
  const before = ready(true);
  await begin(before.context);
  const after = scene(makeBootstrap(3));
  const saved = JSON.parse(JSON.stringify(toSave(before.model))) as ReturnType<typeof toSave>;
  restore(after.model, saved, { selected: [], email: '', name: '' });
  after.script.status.push(makeStatus('intent-1', 'pending'));
  await resume(after.context);
  expect(after.asked).toEqual(before.asked);
  const { begun: _begun, ...later } = saved;
  restore(after.model, later, { selected: [], email: '', name: '' });
  expect(after.model.showsName.value).toBe(false);
});

it('a further payment of the same page begins without the consent of the one before (Q97)', async () => {
  const { context, model } = ready(true);
  await begin(context);
  await pay(context, 'Ana');
  expect([model.step.value, model.showsName.value]).toEqual(['done', false]);
});

it('a name comes and goes with the picture of its share, and older pictures have none (Q98, Q99)', () => {
  const { context, model } = scene(makeBootstrap(2));
  const names = () => model.slots.value.map(({ name }) => name);
  const become = (rev: number, first: Partial<LiveSlot>) => {
    const [slot, ...others] = model.live.value.slots as readonly [LiveSlot, ...LiveSlot[]];
    const { shown_name: _name, ...plain } = slot;
    const slots = [{ ...plain, state: 'preauthorised' as const, ...first }, ...others];
    applyPicture(context, { ...model.live.value, rev, slots });
  };
  expect(names()).toEqual([undefined, undefined]);
  become(2, { shown_name: 'Ana' });
  expect(names()).toEqual(['Ana', undefined]);
  become(3, {});
  expect(names()).toEqual([undefined, undefined]);
});
