import { effect } from '@preact/signals';
import type { Bootstrap } from '../bootstrap.ts';
import { serverClock } from '../clock/server-clock.ts';
import type { Host } from '../host.ts';
import type { Translate } from '../i18n/translate.ts';
import { paymentApi } from '../net/api.ts';
import { keepLive, pause, type LiveOptions } from '../net/live.ts';
import type { OnWait } from '../net/load-file.ts';
import type { Live } from '../net/picture.ts';
import { ownPayments } from '../net/payments.ts';
import { checkoutModel, restore, toSave, type Early, type Model } from '../state/model.ts';
import { NOTHING, payerStore } from '../state/saved.ts';
import type { Context } from './context.ts';
import { followConnection } from './follow-connection.ts';
import type { Steps } from './load-steps.ts';
import { settle, tellTakenLink } from './notices.ts';
import { applyPicture, watchClocks } from './watch.ts';

export type Opened = {
  readonly model: Model;
  readonly context: Context;
  start(early: Early): void;
  /** Fetches what comes after the first press, once; the page can draw those steps from then on. */
  loadSteps(): Promise<Steps>;
  /** True where the page does not begin with the choice: nothing can be paid, or its payer has begun or paid before. */
  readonly isReturn: boolean;
  /** Forgets this payer on this device, who is somebody else than before. */
  forget(): void;
  stop(): void;
};

/** Builds everything behind the page without starting it: the first drawing must equal the server's. */
export function openCheckout(o: {
  bootstrap: Bootstrap;
  host: Host;
  t: Translate;
  /** Fetches what comes after the first press. */
  fetchSteps: (onWait: OnWait) => Promise<Steps>;
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
    followOwnShares: undefined,
    pause: (ms) => pause(ms, signal),
  };
  const store = payerStore(group.id);
  const { model } = context;
  const saved = store.load();
  const isReturn =
    !!bootstrap.returned ||
    !!saved.begun ||
    saved.made.length > 0 ||
    bootstrap.gateway === null ||
    !model.awaitsPayers.value;
  let steps: Promise<Steps> | undefined;
  const tellWait: OnWait = (ms) =>
    (model.waiting.value = { because: 'offline', until: context.clock.now() + ms });
  const loadSteps = (): Promise<Steps> =>
    (steps ??= o.fetchSteps(tellWait).then((fetched) => {
      model.waiting.value = null;
      model.later.value = fetched.LATER_PARTS;
      context.followOwnShares = () => fetched.followOwnShares(context);
      return fetched;
    }));
  const start = (early: Early): void => {
    restore(model, saved, early);
    if (model.email.value === '') model.email.value = host.payerEmail ?? '';
    model.isRunning.value = true;
    const stops = [
      watchClocks(context),
      effect(() => store.save(toSave(model))),
      effect(() => {
        if (!model.awaitsPayers.value) void loadSteps();
      }),
    ];
    signal.addEventListener('abort', () => stops.forEach((stop) => stop()));
    // The device's storage changes when another tab has paid, or is about to.
    const hear = () => void loadSteps().then(({ joinPayments }) => joinPayments(context, store.made()));
    addEventListener('storage', hear, { signal });
    void keepLive(liveOptions(context, `${checkoutUrl}/v1/group-payments/${group.id}/events`), signal);
    if (isReturn) return void loadSteps().then(({ resume }) => resume(context));
    tellTakenLink(context);
    settle(context);
  };
  const forget = (): void => {
    store.forget();
    restore(model, NOTHING, NOTHING);
  };
  return { model, context, start, loadSteps, isReturn, forget, stop: () => ended.abort() };
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
