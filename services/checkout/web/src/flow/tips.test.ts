import { expect, it } from '@jest/globals';
import { restore, toSave } from '../state/model.ts';
import { buildView } from '../view.ts';
import { INERT } from '../ui/inert.ts';
import { nameShare } from '../slots/slot.ts';
import { tipAdder } from '../tips/add-tips.ts';
import { tipMessages } from '../i18n/tips/all.ts';
import { makeBootstrap, makeStatus, scene } from './fixtures.ts';
import { begin, pay } from './pay.ts';
import { resume } from './resume.ts';

const makeTips = () => ({ max_minor: '500', texts: tipMessages.en });

/** Returns the page of a payer who has chosen these shares, and 2.50 as a tip. */
function ready(...slotIds: string[]) {
  const page = scene(makeBootstrap(3, { tips: makeTips() }));
  page.model.selected.value = slotIds;
  page.model.email.value = 'ana@payers.example';
  page.model.tip.value = 2.5;
  return page;
}

it('the request to pay has the tip in currency units, and none where the payer adds nothing (Q91)', async () => {
  const { context, model, asked } = ready('s1');
  await begin(context);
  model.step.value = 'choose';
  model.tip.value = undefined;
  await begin(context);
  expect(asked.map(({ request }) => request.tip)).toEqual([2.5, undefined]);
  expect(JSON.stringify(asked[1]?.request)).not.toContain('tip');
});

it('another tip for the same shares is another request, the same tip goes on with the one that was begun (Q92)', async () => {
  const { context, model, asked } = ready('s1');
  await begin(context);
  model.step.value = 'choose';
  await begin(context);
  model.step.value = 'choose';
  model.tip.value = 0.37;
  await begin(context);
  const keys = asked.map(({ key }) => key);
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false]);
  expect(asked.at(-1)?.request.tip).toBe(0.37);
});

it('a reloaded page sends the request with its tip again under the same key (Q92)', async () => {
  const before = ready('s2');
  await begin(before.context);
  const after = scene();
  const saved = JSON.parse(JSON.stringify(toSave(before.model))) as ReturnType<typeof toSave>;
  restore(after.model, saved, { selected: [], email: '', name: '' });
  after.script.status.push(makeStatus('intent-1', 'pending'));
  await resume(after.context);
  expect(after.asked).toEqual(before.asked);
  expect(after.model.tip.value).toBe(2.5);
});

it('the page adds the tip to the shares that its payer chooses or has paid, and to no other share of the group (Q91)', async () => {
  const { context, model } = ready('s1');
  const view = buildView(model, context.t, INERT);
  model.offer.value = { Field: () => null, addTips: tipAdder(view, makeTips()) };
  const names = (): readonly string[] => model.chosen.value.map((slot) => nameShare(context.t, slot));
  expect(view.sum(model.chosen.value)).toBe('€12.50');
  expect(names()).toEqual(['Share 1 (\u2068Including a tip of €2.50\u2069)']);
  await begin(context);
  await pay(context, 'Ana');
  expect(model.made.value).toMatchObject([{ slotIds: ['s1'], tip: 2.5 }]);
  expect(view.sum(model.mine.value)).toBe('€12.50');
  expect(view.sum(model.slots.value)).toBe('€30.00');
});

it('the page of a group without tips is as before: nothing is offered, and nothing is added', () => {
  const { model } = scene(makeBootstrap(3));
  expect([model.offer.value, model.tip.value]).toEqual([null, undefined]);
});
