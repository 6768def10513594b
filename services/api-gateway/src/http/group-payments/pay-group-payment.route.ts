import { createHash } from 'node:crypto';
import {
  LONGEST_LANGUAGES,
  publicApi,
  type ClientData,
  type RequestOf,
  type ResponseOf,
  type startPayment,
} from '@gp/contracts';
import { forEachGateway } from '@gp/gateway-registry';
import type { HttpRequest } from '@gp/http';
import type { Caller } from '../../app/callers/caller.ts';
import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { shownAmount } from './group-payment.view.ts';
import { readTip } from './read-tip.ts';
import { answerOnce, readKey } from '../request/idempotency.ts';
import type { RouteParts } from '../route-parts.ts';
import { bodyReader } from '../request/validator.ts';

const read = bodyReader(publicApi.PayRequest);

/** The fields that the card form of each gateway needs, and no field of another gateway. */
const CLIENT_FIELDS = forEachGateway(
  ({ clientData }) => Object.keys(clientData.fields) as readonly (keyof ClientData)[],
);

/** POST /v1/group-payments/{id}/pay */
export function payGroupPayment({ once, services, admitPayer, notePayment }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const body = read(request);
    const { customer_email, customer_name, show_name, slot_ids, time_zone } = body.plain;
    const payer = { groupId: group_id, email: customer_email };
    admitPayer(request, payer);
    return answerOnce(once, { request, caller, body: body.exact }, async (identity) => {
      const started = await services.startPayment({
        ...identity,
        ...toScope(caller),
        principal: caller.principal,
        ...describeBrowser(request, caller, group_id),
        ...pickLimitedSession(caller),
        group_id,
        customer_email,
        ...(customer_name !== undefined && { customer_name }),
        ...(show_name && { show_name }),
        ...(slot_ids && { slot_ids: slot_ids.map((id) => id.toLowerCase()) }),
        ...readTip(body),
        ...(time_zone !== undefined && { time_zone }),
        ...readLanguages(request),
      });
      notePayment(request, caller, started.payment_intent_id, payer);
      return { status: 201, body: payResponse(started, caller) };
    });
  };
}

type Browser = Pick<RequestOf<typeof startPayment>, 'requesters' | 'link_number'>;

/**
 * Names the browser of a session token: by the token, and by its Idempotency-Key, which the browser keeps over a reload
 * and no other client knows. The number of its link keeps a newer link from it.
 */
function describeBrowser(request: HttpRequest, caller: Caller, groupId: string): Browser {
  if (caller.kind !== 'session_token') return {};
  const key = readKey(request);
  const named = key === undefined ? [] : [hash(`${groupId} ${key}`)];
  return { requesters: [caller.tokenId, ...named], link_number: caller.linkNumber };
}

/** What the browser says of its payer's language; what is longer than a browser sends is cut. */
function readLanguages({ headers }: HttpRequest): Pick<RequestOf<typeof startPayment>, 'languages'> {
  const languages = headers['accept-language'];
  return languages === undefined ? {} : { languages: languages.slice(0, LONGEST_LANGUAGES) };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Names a limited session, so that checkout applies its limits to the payment. */
function pickLimitedSession(caller: Caller): { session_id?: string } {
  const isLimited = caller.kind === 'session_token' && caller.sessionId !== undefined;
  return isLimited ? { session_id: caller.sessionId } : {};
}

function payResponse(started: ResponseOf<typeof startPayment>, { mode }: Caller) {
  const { psp_code, payment_intent_id, amount_minor, tip_minor, currency, slot_ids, client } = started;
  const forClient = CLIENT_FIELDS[psp_code].map((field) => [field, client[field]] as const);
  return {
    psp_code,
    payment_intent_id,
    amount: shownAmount(amount_minor, currency),
    ...(tip_minor !== undefined && { tip: shownAmount(tip_minor, currency) }),
    currency,
    slot_ids,
    is_test_mode: mode === 'test',
    ...Object.fromEntries(forClient),
  };
}
