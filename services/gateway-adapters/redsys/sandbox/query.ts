import type { HttpRequest } from '@gp/http';
import { type Answer, type Reply, type Stage, computeWrongAmount } from '@gp/psp-sandbox/kit';
import { dialect, errorAnswer, refusedToServer, Senseless } from './errors.ts';
import { callAbout, findOrder, lockOrder } from './find.ts';
import { readMessage, type Message } from './request.ts';
import { signed } from './signature.ts';
import { buildOperations } from './wire.ts';

/** The code for an unknown order. */
const NOTHING = 'XML0024';

/** `POST /sis/rest/consultaOperacionesREST`: returns all operations on one order of the terminal. */
export async function lookUp(stage: Stage, request: HttpRequest): Promise<Reply> {
  const message = await readQuestion(stage, request);
  const found = await findOrder(stage, message);
  if (!found) return { kind: 'answer', answer: errorAnswer(NOTHING) };
  return stage.playCall(callAbout(found, 'query', request, dialect), async (tx, conduct): Promise<Answer> => {
    if (conduct.declines) return errorAnswer('SIS0028', 'declined');
    const payment = await lockOrder(tx, found.pspReference);
    const operations = buildOperations(payment, await tx.listActions(payment.pspReference));
    const { pspReference: order, account } = payment;
    const reply = {
      Ds_Order: order,
      Ds_MerchantCode: account,
      Ds_Terminal: payment.details.terminal.padStart(3, '0'),
      Ds_Operations: conduct.wrongAmount ? operations.map(misread) : operations,
    };
    const key = message.account.secrets['secret_key'] ?? '';
    return { status: 200, body: signed(message.version, key, order, reply), outcome: 'ok' };
  });
}

const misread = (operation: Record<string, string>): Record<string, string> => ({
  ...operation,
  Ds_Amount: String(computeWrongAmount(BigInt(operation['Ds_Amount'] ?? '0'))),
});

async function readQuestion({ accounts }: Stage, request: HttpRequest): Promise<Message> {
  try {
    return await readMessage(accounts, request);
  } catch (e) {
    throw e instanceof Senseless ? refusedToServer(e) : e;
  }
}
