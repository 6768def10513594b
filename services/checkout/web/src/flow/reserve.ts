import type { publicApi } from '@gp/contracts';
import type { PayRequest } from '../net/api.ts';
import type { Failure } from '../net/failure.ts';
import { nextStep } from '../net/next-step.ts';
import { cleanName, isOver } from '../state/model.ts';
import type { Begun } from '../state/saved.ts';
import type { Context } from './context.ts';
import { goBackToChoice } from './notices.ts';
import { showProblem } from './problems.ts';

/**
 * Takes the chosen shares and lets the gateway prepare the payment. After any failure of the network or a reload,
 * the request is sent again under the same Idempotency-Key until there is a response. Returns undefined when the
 * payer must act first; the page shows how.
 */
export async function reserve(context: Context): Promise<publicApi.PayResponse | undefined> {
  const { model, api } = context;
  let begun = findOrBeginRequest(context);
  model.begun.value = begun;
  model.notice.value = null;
  for (let failures = 0; ; failures++) {
    const answer = await api.pay(begun.request, begun.key);
    if (context.signal.aborted) return undefined;
    if (answer.kind === 'ok') return accept(context, begun, answer.body);
    if (isZoneRefused(begun, answer)) {
      begun = beginRequest({ ...begun.request, time_zone: undefined });
      model.begun.value = begun;
      continue;
    }
    const goesOn = await endure(context, answer, failures + 1);
    if (!goesOn) return undefined;
  }
}

/** Returns the begun request when the choice is unchanged, else a new one. A time zone that changes meanwhile is no other choice. */
function findOrBeginRequest({ model, timeZone }: Context): Begun {
  const request = toPayRequest(model);
  const begun = isOver(model.reservation.value) ? null : model.begun.value;
  const isSame = JSON.stringify({ ...begun?.request, time_zone: undefined }) === JSON.stringify(request);
  return begun && isSame ? begun : beginRequest({ ...request, time_zone: timeZone });
}

const beginRequest = (request: PayRequest): Begun => ({ key: crypto.randomUUID(), request });

/**
 * Returns whether only the time zone kept a request from being accepted. Browsers may name one in a form that the API refuses,
 * and a replica of an older release does not know the field; neither keeps anybody from paying.
 */
const isZoneRefused = ({ request }: Begun, answer: Failure): boolean =>
  request.time_zone !== undefined && answer.kind === 'refused' && answer.param === 'time_zone';

function toPayRequest({ email, name, showsName, chosen, tip }: Context['model']): PayRequest {
  return {
    customer_email: email.value.trim(),
    customer_name: cleanName(name.value) || undefined,
    show_name: showsName.value || undefined,
    slot_ids: chosen.value.map(({ id }) => id),
    tip: tip.value,
  };
}

function accept(context: Context, begun: Begun, started: publicApi.PayResponse): publicApi.PayResponse {
  const { model } = context;
  model.waiting.value = null;
  model.begun.value = { ...begun, intentId: started.payment_intent_id };
  model.started.value = started;
  model.reservation.value = 'asked';
  model.selected.value = started.slot_ids;
  return started;
}

/** Waits where a retry can help, and returns true when the same request is to be sent again. */
async function endure(context: Context, failure: Failure, failures: number): Promise<boolean> {
  const { model } = context;
  const step = nextStep(failure, failures);
  if (step.do === 'repeat' || step.do === 'ask') {
    const [afterMs, because] = step.do === 'repeat' ? [step.afterMs, step.because] : [5_000, 'away' as const];
    model.waiting.value = { because, until: context.clock.now() + afterMs };
    await context.pause(afterMs);
    return !context.signal.aborted;
  }
  model.waiting.value = null;
  if (step.do === 'look') goBackToChoice(context);
  else showProblem(context, step.reason, 'choose');
  return false;
}
