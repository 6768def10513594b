import type { Picture } from '../bootstrap.ts';
import { answered } from '../net/api.ts';
import type { FetchResult, Failure } from '../net/failure.ts';
import { pickNewer } from '../net/picture.ts';
import type { OrganiserRight, Reminded } from './bootstrap.ts';
import type { OrganiserActions, OrganiserModel, OrganiserTranslate } from './model.ts';
import { writeEnd } from './write-end.ts';

/** As long as the server may take. */
const PATIENCE_MS = 35_000;

export type Send = <T>(action: OrganiserRight, body: object) => Promise<FetchResult<T>>;

/** Returns what sends an action to the page's own server; every action may be sent again. */
export const sender =
  (path: string): Send =>
  (action, body) =>
    answered(PATIENCE_MS, (signal) =>
      fetch(`${path}/${action}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal,
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      }),
    );

type Parts = {
  readonly model: OrganiserModel;
  readonly t: OrganiserTranslate;
  readonly send: Send;
  /** Opens the page again: its link was replaced. */
  readonly reopen: () => void;
};

/** Returns the actions of the buttons: one at a time, each with a sentence of what became of it. */
export function organiserActions({ model, t, send, reopen }: Parts): OrganiserActions {
  const { pending, told, live, remindable, asksCancel } = model;
  const act = async <T>(of: OrganiserRight, body: object, take: (answer: T) => string): Promise<void> => {
    if (pending.value !== null) return;
    pending.value = of;
    told.value = null;
    const answer = await send<T>(of, body);
    pending.value = null;
    if (answer.kind === 'ok') told.value = { of, isGood: true, text: take(answer.body) };
    else if (answer.kind === 'refused' && answer.status === 404) reopen();
    else told.value = { of, isGood: false, text: t(explain(answer)) };
  };
  const show = (picture: Picture): void => void (live.value = pickNewer(live.value, picture));
  return {
    remind: () =>
      void act<Reminded>('remind', {}, (answer) => {
        remindable.value = answer.remindable;
        return answer.reminded > 0 ? t.many('reminded', answer.reminded) : t('remindedNone');
      }),
    extend: (expires_at) =>
      void act<Picture>('extend', { expires_at }, (picture) => {
        show(picture);
        return t('extended', {
          date: writeEnd({ model, locale: model.bootstrap.written_as }, picture.expires_at),
        });
      }),
    cancel: () =>
      void act<Picture>('cancel', {}, (picture) => {
        asksCancel.value = false;
        show(picture);
        return t('cancelledTitle');
      }),
  };
}

/** Returns the sentence for an action that was not done, or of which nothing is known. */
function explain(failure: Failure): 'failed' | 'over' | 'tooMany' {
  if (failure.kind === 'unanswered' || failure.status >= 500) return 'failed';
  return failure.status === 429 ? 'tooMany' : 'over';
}
