import { describe, expect, it } from '@jest/globals';
import type { OrganiserBootstrap, Picture } from '../bootstrap.ts';
import { makeBootstrap, refusal } from '../flow/fixtures.ts';
import en from '../i18n/en.ts';
import own from '../i18n/organiser/en.ts';
import { translator } from '../i18n/translate.ts';
import { UNANSWERED, type FetchResult } from '../net/failure.ts';
import { organiserActions, type Send } from './act.ts';
import { organiserModel, type OrganiserTranslate } from './model.ts';

/** The page of an organiser whose server answers as scripted. */
function openPage(...answers: FetchResult<unknown>[]) {
  const { group, payee, mode, brand_color, server_time } = makeBootstrap(2);
  const bootstrap: OrganiserBootstrap = {
    ...{ kind: 'organiser', mode, locale: 'en', written_as: 'en-GB', payee, brand_color, group, server_time },
    may: ['remind', 'extend', 'cancel'],
    latest_expires_at: '2026-01-02T01:00:00.000Z',
    remindable: 2,
    path: '/o/token',
    payers_path: '/c/page',
  };
  const t: OrganiserTranslate = translator('en', { ...en, ...own });
  const model = organiserModel(bootstrap);
  const sent: string[] = [];
  let reopened = 0;
  const send: Send = async <T>(action: string, body: object) => {
    sent.push(`${action} ${JSON.stringify(body)}`);
    return (answers.shift() ?? UNANSWERED) as FetchResult<T>;
  };
  const actions = organiserActions({ model, t, send, reopen: () => void (reopened += 1) });
  const picture = (changed: Partial<Picture>): FetchResult<Picture> => ({
    kind: 'ok',
    body: { ...model.live.value, rev: 2, server_time, ...changed },
  });
  return { model, actions, sent, answers, picture, reopened: () => reopened };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('an action of the organiser', () => {
  it('a reminder tells how many get a mail, and its button has the number that is left', async () => {
    const { model, actions } = openPage({ kind: 'ok', body: { reminded: 2, remindable: 0 } });
    actions.remind();
    await settled();
    expect(model.told.value).toEqual({ of: 'remind', isGood: true, text: '2 people get a mail.' });
    expect(model.remindable.value).toBe(0);
    const late = openPage({ kind: 'ok', body: { reminded: 0, remindable: 0 } });
    late.actions.remind();
    await settled();
    expect(late.model.told.value?.text).toBe('Everyone has had a mail a short time ago.');
  });

  it('an extension and a cancellation show the group as the server answers it, at once', async () => {
    const { model, actions, sent, answers, picture } = openPage();
    answers.push(picture({ expires_at: '2026-01-01T02:00:00.000Z' }));
    actions.extend('2026-01-01T02:00:00.000Z');
    await settled();
    expect(model.live.value.expires_at).toBe('2026-01-01T02:00:00.000Z');
    expect(model.told.value?.text).toMatch(/^The bill is now open until 02:00 UTC\.$/);
    answers.push(
      picture({
        rev: 3,
        state: 'cancelled',
        facts: { is_collecting: false, awaits_payers: false, is_settled: true },
      }),
    );
    model.asksCancel.value = true;
    actions.cancel();
    await settled();
    expect(model.awaitsPayers.value).toBe(false);
    expect(model.asksCancel.value).toBe(false);
    expect(sent).toEqual(['extend {"expires_at":"2026-01-01T02:00:00.000Z"}', 'cancel {}']);
  });

  it('an extension that the merchant went beyond meanwhile tells the end that the bill has (Q88)', async () => {
    const { model, actions, answers, picture } = openPage();
    answers.push(picture({ expires_at: '2026-01-01T05:00:00.000Z' }));
    actions.extend('2026-01-01T02:00:00.000Z');
    await settled();
    expect(model.told.value).toMatchObject({
      isGood: true,
      text: 'The bill is now open until 05:00 UTC.',
    });
  });

  it('a second press while an answer is awaited sends nothing', async () => {
    const { actions, sent } = openPage();
    actions.cancel();
    actions.cancel();
    actions.remind();
    await settled();
    expect(sent).toEqual(['cancel {}']);
  });

  it.each([
    [UNANSWERED, 'That did not work. Please try again.'],
    [refusal('internal_error', 500), 'That did not work. Please try again.'],
    [refusal('rate_limited', 429), 'Too many requests. Please wait a minute.'],
    [refusal('group_not_payable'), 'That is not possible any more.'],
    [refusal('insufficient_scope', 403), 'That is not possible any more.'],
  ] as const)('an action that was not done says so: %j', async (answer, text) => {
    const { model, actions } = openPage(answer);
    actions.cancel();
    await settled();
    expect(model.told.value).toEqual({ of: 'cancel', isGood: false, text });
  });

  it('a link that was replaced opens the page again, which says that it leads nowhere', async () => {
    const { model, actions, reopened } = openPage(refusal('not_found', 404));
    actions.remind();
    await settled();
    expect([reopened(), model.told.value]).toEqual([1, null]);
  });
});
