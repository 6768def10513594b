import { expect, it } from '@jest/globals';
import { restore, toSave } from '../state/model.ts';
import { makeBootstrap, makeStatus, refusal, scene } from './fixtures.ts';
import { begin } from './pay.ts';
import { resume } from './resume.ts';

function ready() {
  const page = scene(makeBootstrap(3));
  page.model.selected.value = ['s1'];
  page.model.email.value = 'ana@payers.example';
  page.model.name.value = 'Ana';
  return page;
}

const zones = ({ asked }: ReturnType<typeof scene>) => asked.map(({ request }) => request.time_zone);

it('the request to pay says the time zone of the browser (Q105)', async () => {
  const page = ready();
  await begin(page.context);
  expect(zones(page)).toEqual(['Asia/Tokyo']);
});

it('a time zone that the API refuses keeps nobody from paying: the request goes out again without it (Q105)', async () => {
  const page = ready();
  page.script.pay.push({ ...refusal('validation_error', 400), param: 'time_zone' });
  await begin(page.context);
  expect(zones(page)).toEqual(['Asia/Tokyo', undefined]);
  expect(page.asked[0]?.key).not.toBe(page.asked[1]?.key);
  expect([page.model.step.value, page.model.notice.value, page.pauses]).toEqual(['card', null, []]);
});

it('another refused field is refused, with the time zone as without it (Q105)', async () => {
  const page = ready();
  page.script.pay.push({ ...refusal('validation_error', 400), param: 'customer_name' });
  await begin(page.context);
  expect(zones(page)).toEqual(['Asia/Tokyo']);
  expect(page.model.notice.value).not.toBeNull();
});

it('a page that is reloaded in another time zone repeats the request that it has sent (Q105)', async () => {
  const before = ready();
  await begin(before.context);
  const after = scene(makeBootstrap(3));
  const saved = JSON.parse(JSON.stringify(toSave(before.model))) as ReturnType<typeof toSave>;
  restore(after.model, saved, { selected: [], email: '', name: '' });
  after.script.status.push(makeStatus('intent-1', 'pending'));
  await resume({ ...after.context, timeZone: 'Europe/Madrid' });
  expect(after.asked).toEqual(before.asked);
});
