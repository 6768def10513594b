import type { HttpRequest } from '@gp/http';
import type { Answer, Reply, Stage } from '@gp/psp-sandbox/kit';
import { capture } from './capture.ts';
import { errorAnswer, refusedToServer, Senseless } from './errors.ts';
import { findOrder } from './find.ts';
import { refund } from './refund.ts';
import { parseAmount, parseCurrency, readMessage, type Message } from './request.ts';
import type { Operation } from './steps.ts';
import { voidOrder } from './void.ts';

type OperationType = {
  readonly carryOut: (stage: Stage, operation: Operation) => Promise<Reply>;
  /** The error code when there is no such order. */
  readonly noOrder: string;
};

/** The operations that merchants may request, by type. */
const TYPES: ReadonlyMap<string, OperationType> = new Map([
  ['2', { carryOut: capture, noOrder: 'SIS0059' }],
  ['3', { carryOut: refund, noOrder: 'SIS0054' }],
  ['9', { carryOut: voidOrder, noOrder: 'SIS0225' }],
]);

/** `POST /sis/rest/trataPeticionREST`: carries out an operation on an order. */
export async function operate(stage: Stage, request: HttpRequest): Promise<Reply> {
  const { message, type } = await readOperation(stage, request);
  const found = await findOrder(stage, message);
  if (!found) return reply(errorAnswer(type.noOrder));
  const signing = { version: message.version, key: message.account.secrets['secret_key'] ?? '' };
  const amountMinor = parseAmount(message);
  if (parseCurrency(message) !== found.currency) return reply(errorAnswer('SIS0058'));
  return type.carryOut(stage, { found, amountMinor, signing, request });
}

const reply = (answer: Answer): Reply => ({ kind: 'answer', answer });

async function readOperation(
  { accounts }: Stage,
  request: HttpRequest,
): Promise<{ readonly message: Message; readonly type: OperationType }> {
  try {
    const message = await readMessage(accounts, request);
    const type = TYPES.get(message.parameters['ds_merchant_transactiontype'] ?? '');
    if (type === undefined) throw new Senseless('SIS0023');
    parseAmount(message);
    parseCurrency(message);
    return { message, type };
  } catch (e) {
    throw e instanceof Senseless ? refusedToServer(e) : e;
  }
}
