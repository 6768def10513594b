import { effect } from '@preact/signals';
import type { Bootstrap } from '../bootstrap.ts';
import { serverClock } from '../clock/server-clock.ts';
import type { Host } from '../host.ts';
import type { Translate } from '../i18n/translate.ts';
import { paymentApi } from '../net/api.ts';
import { keepLive, pause, type LiveOptions } from '../net/live.ts';
import type { Live } from '../net/picture.ts';
import { ownPayments } from '../net/payments.ts';
import { checkoutModel, restore, toSave, type Early, type Model } from '../state/model.ts';
import { NOTHING, payerStore } from '../state/saved.ts';
import type { Context } from './context.ts';
import { followConnection } from './follow-connection.ts';
import { resume } from './resume.ts';
import { applyPicture, watchClocks } from './watch.ts';

export type Opened = {
  readonly model: Model;
  readonly context: Context;
  start(early: Early): void;
  /** Forgets this payer on this device, who is somebody else than before. */
  forget(): void;
  stop(): void;
};

/** Builds everything behind the page without starting it: the first drawing must equal the server's. */
export function openCheckout(o: {
  bootstrap: Bootstrap;
  host: Host;
  t: Translate;
  reopen?: (pspCode: string) => void;
}): Opened {
  const { bootstrap, host, t } = o;
  const { api_url: apiUrl, checkout_url: checkoutUrl, group } = bootstrap;
  const ended = new AbortController();
  const { signal } = ended;
  const of = { groupId: group.id, tokens: host };
  const context: Context = {
    model: checkoutModel(bootstrap),
    clock: serverClock(Date.parse(bootstrap.server_time)),
    host,
    api: paymentApi({ apiUrl, language: bootstrap.written_as, ...of }),
    ...ownPayments({ checkoutUrl, ...of }),
    t,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    signal,
    reopen: o.reopen,
    cardForm: undefined,
    pause: (ms) => pause(ms, signal),
  };
  const store = payerStore(group.id);
  const start = (early: Early): void => {
    const { model } = context;
    restore(model, store.load(), early);
    if (model.email.value === '') model.email.value = host.payerEmail ?? '';
    model.isRunning.value = true;
    const stops = [watchClocks(context), effect(() => store.save(toSave(model)))];
    signal.addEventListener('abort', () => stops.forEach((stop) => stop()));
    void keepLive(liveOptions(context, `${checkoutUrl}/v1/group-payments/${group.id}/events`), signal);
    void resume(context);
  };
  const forget = (): void => {
    store.forget();
    restore(context.model, NOTHING, NOTHING);
  };
  return { model: context.model, context, start, forget, stop: () => ended.abort() };
}

function liveOptions(context: Context, url: string): LiveOptions {
  const { model, host, clock, signal } = context;
  const picture = (live: Live): void => applyPicture(context, live);
  return {
    url,
    tokens: host,
    known: model.live.value,
    updates: { picture, serverTime: clock.synchronise, connected: followConnection(model, signal) },
  };
}
