import { AppError } from '@gp/errors';
import type { ConsumeOptions } from './consume.ts';
import type { InboundMessage } from './delivery.ts';
import type { OutboundMessage } from './publish.ts';
import { matchesAny } from './subjects.ts';
import { compileCheck } from './validate.ts';

/**
 * Handles a message in this process, as its consumer of that subject would: no service may publish what it consumes.
 * See Bus.redeliver.
 */
export async function handleLocally(consumed: readonly ConsumeOptions[], m: OutboundMessage): Promise<void> {
  const consumer = consumed.find(({ filters }) => matchesAny(filters, m.subject));
  if (!consumer) throw new Error(`no consumer here takes ${m.subject}`);
  const message: InboundMessage = { ...m, deliveryCount: 1, working: () => undefined };
  try {
    const fault = consumer.payload && compileCheck(consumer.payload)(m.payload);
    if (fault !== undefined) throw new Error(`invalid message: ${fault}`);
    await consumer.handler(message);
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_unavailable') throw error;
    const reason = error instanceof AppError ? error.code : String(error);
    const { working: _none, ...facts } = message;
    await consumer.onDead({ ...facts, consumer: consumer.durable, stream: consumer.stream, reason });
  }
}
