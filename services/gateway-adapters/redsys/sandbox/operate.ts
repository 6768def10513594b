import type { HttpRequest } from '@gp/http';
import type { Answer, Reply, Stage } from '@gp/psp-sandbox/kit';
import { dialect, errorAnswer, REFUND_NOT_ALLOWED, refusedToServer, Senseless } from './errors.ts';
import { callAbout, findOrder, lockOrder } from './find.ts';
import { amountOf, currencyOf, readMessage, type Message } from './request.ts';
import { signedAnswer, takeStep } from './steps.ts';

/** Nothing to work on, by type. */
const NO_ORDER: Readonly<Record<string, string>> = { '2': 'SIS0059', '3': 'SIS0054', '9': 'SIS0225' };

/** `POST /sis/rest/trataPeticionREST`: confirms (2) or cancels (9) an order; refunds (3) are not open to merchants. */
export async function operate(stage: Stage, request: HttpRequest): Promise<Reply> {
  const message = await readOperation(stage, request);
  const type = message.parameters['ds_merchant_transactiontype'] ?? '';
  const found = await findOrder(stage, message);
  if (!found) return answer(errorAnswer(NO_ORDER[type] ?? 'SIS0023'));
  const signing = { version: message.version, key: message.account.secrets['secret_key'] ?? '' };
  const amountMinor = amountOf(message);
  if (currencyOf(message) !== found.currency) return answer(errorAnswer('SIS0058'));
  if (type === '3')
    return answer(
      signedAnswer(found, { type, amountMinor, response: REFUND_NOT_ALLOWED }, signing, 'refused'),
    );
  const step = type === '2' ? 'capture' : 'void';
  return stage.playCall(callAbout(found, step, request, dialect), async (desk, conduct) => {
    const payment = await lockOrder(desk, found.pspReference);
    return takeStep(desk, payment, step, { amountMinor, conduct, signing });
  });
}

const answer = (given: Answer): Reply => ({ kind: 'answer', answer: given });

async function readOperation({ accounts }: Stage, request: HttpRequest): Promise<Message> {
  try {
    const message = await readMessage(accounts, request);
    if (!Object.hasOwn(NO_ORDER, message.parameters['ds_merchant_transactiontype'] ?? ''))
      throw new Senseless('SIS0023');
    amountOf(message);
    currencyOf(message);
    return message;
  } catch (e) {
    throw e instanceof Senseless ? refusedToServer(e) : e;
  }
}
