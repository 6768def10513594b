import type { publicApi } from '@gp/contracts';
import type { Bootstrap, LiveSlot, PaymentStatus, Picture } from '../bootstrap.ts';
import { serverClock } from '../clock/server-clock.ts';
import type { CardOutcome } from '../gateways/card-form.ts';
import type { Host } from '../host.ts';
import en from '../i18n/en.ts';
import { translator } from '../i18n/translate.ts';
import type { PayRequest, PaymentApi } from '../net/api.ts';
import { UNANSWERED, type FetchResult, type Refused } from '../net/failure.ts';
import { checkoutModel } from '../state/model.ts';
import type { Context } from './context.ts';
import { followOwnShares } from './own-shares.ts';
import { applyPicture } from './watch.ts';

type PayAnswer = FetchResult<publicApi.PayResponse>;

/** Returns the bootstrap of a group of equal shares. */
export function makeBootstrap(slots: number, o: Partial<Bootstrap> = {}): Bootstrap {
  return {
    kind: 'page',
    mode: 'test',
    locale: 'en',
    written_as: 'en-GB',
    payee: 'Casa Lola',
    brand_color: null,
    group: {
      id: 'group',
      name: 'Dinner',
      order_id: 'order',
      total_minor: String(slots * 1_000),
      currency: 'EUR',
      fraction_digits: 2,
      state: 'open',
      facts: { is_collecting: true, awaits_payers: true, is_settled: false },
      expires_at: '2026-01-01T01:00:00.000Z',
      rev: 1,
      slots: Array.from({ length: slots }, (_, index) => ({
        id: `s${index + 1}`,
        sequence_no: index + 1,
        amount_minor: '1000',
        state: 'unassigned',
        held_until: null,
      })),
    },
    session: { token: 'token', expires_at: '2026-01-01T00:30:00.000Z', can_pay: true },
    gateway: { psp_code: 'gateway_a', script: 'https://gateway.example/js' },
    api_url: 'https://api.example',
    checkout_url: 'https://pay.example',
    session_path: '/session',
    returned: null,
    server_time: '2026-01-01T00:00:00.000Z',
    ...o,
  };
}

export const refusal = (code: Refused['code'], status = 409): Refused => ({
  kind: 'refused',
  status,
  code,
  retryAfterSeconds: undefined,
});

/** A payer's page without a browser: server and card form respond as scripted, requests are recorded. */
export function scene(bootstrap: Bootstrap = makeBootstrap(3)) {
  const model = checkoutModel(bootstrap);
  const asked: { request: PayRequest; key: string }[] = [];
  const completed: string[] = [];
  const errors: string[] = [];
  const left: string[] = [];
  const pauses: number[] = [];
  const script = {
    pay: [] as PayAnswer[],
    card: [] as CardOutcome[],
    status: [] as FetchResult<PaymentStatus>[],
  };
  const api: PaymentApi = {
    read: () => Promise.resolve({ kind: 'ok', body: { id: 'group', state: model.live.value.state } }),
    pay: (request, key) => {
      asked.push({ request, key });
      return Promise.resolve(script.pay.shift() ?? prepared(`intent-${asked.length}`, request.slot_ids));
    },
    confirm: () => Promise.resolve(UNANSWERED),
  };
  const host: Host = {
    kind: 'page',
    groupPaymentId: 'group',
    token: () => 'token',
    refreshToken: () => Promise.resolve('fresh'),
    returnUrl: (id) => `https://pay.example/c/page?payment=${id}`,
    onComplete: ({ state }) => void completed.push(state),
    onError: ({ code }) => void errors.push(code ?? ''),
    navigateTop: (_form, { paymentIntentId }) => {
      left.push(paymentIntentId);
      return Promise.resolve();
    },
  };
  const context: Context = {
    model,
    clock: serverClock(Date.parse(bootstrap.server_time), () => 0),
    host,
    api,
    readPayment: (intentId) => Promise.resolve(script.status.shift() ?? makeStatus(intentId, 'held')),
    hideName: () => Promise.resolve(UNANSWERED),
    t: translator('en', en),
    timeZone: 'Asia/Tokyo',
    signal: new AbortController().signal,
    reopen: undefined,
    followOwnShares: () => followOwnShares(context),
    cardForm: {
      mount: () => Promise.resolve(),
      submit: () => Promise.resolve(script.card.shift() ?? { kind: 'held' }),
      unmount: () => undefined,
    },
    pause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  };
  /** Applies a change of shares from the server, and of the group with them. */
  const receive = (
    changes: Readonly<Record<string, LiveSlot['state']>>,
    group: Pick<Picture, 'state' | 'facts'> = model.live.value,
  ): void => {
    const live = model.live.value;
    const slots = live.slots.map((slot) => ({ ...slot, state: changes[slot.id] ?? slot.state }));
    const { state, facts } = group;
    applyPicture(context, { ...live, rev: live.rev + 1, slots, state, ...(facts && { facts }) });
  };
  return { context, model, script, asked, completed, errors, left, pauses, receive };
}

/** A payer who has chosen shares and entered an e-mail address. */
export function ready(...slotIds: string[]) {
  const page = scene();
  page.model.selected.value = slotIds;
  page.model.email.value = 'ana@payers.example';
  return page;
}

export function prepared(
  intentId: string,
  slotIds: readonly string[],
  pspCode: 'gateway_a' | 'gateway_c' = 'gateway_a',
): PayAnswer {
  const common = {
    payment_intent_id: intentId,
    amount: slotIds.length * 10,
    currency: 'EUR',
    slot_ids: [...slotIds],
    is_test_mode: true,
  };
  if (pspCode === 'gateway_c') {
    const gateway_c_form = { url: 'https://bank.example', body: {} };
    return { kind: 'ok', body: { ...common, psp_code: pspCode, gateway_c_form } };
  }
  const secrets = {
    client_secret: 'secret-of-the-gateway',
    gateway_a_account_id: 'acct',
    publishable_key: 'pk',
  };
  return { kind: 'ok', body: { ...common, psp_code: pspCode, ...secrets } };
}

export function makeStatus(
  intentId: string,
  status: PaymentStatus['status'],
  o: Partial<PaymentStatus> = {},
): FetchResult<PaymentStatus> {
  return {
    kind: 'ok',
    body: { payment_intent_id: intentId, status, failure_code: null, slot_ids: ['s1'], ...o },
  };
}
