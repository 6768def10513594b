import { setTracePropagation, type BusWork } from '@gp/bus';
import {
  batchSpan,
  currentTraceparent,
  messageSpan,
  rpcSpan,
  span,
  stepSpan,
  type Endpoint,
} from '@gp/telemetry';

/**
 * Carries traces over the bus: the work for a message is a child of the span that sent it, a batch is linked to all
 * senders. `natsUrl` is the address of the servers as it is set.
 */
export function traceBus(natsUrl: string | undefined): void {
  const server = findServer(natsUrl);
  setTracePropagation({
    current: currentTraceparent,
    run: (work, handle) => runTraced(work, server, handle),
  });
}

function runTraced<T>(work: BusWork, server: Endpoint | undefined, handle: () => Promise<T>): Promise<T> {
  const { subject, traceparent } = work;
  if (work.kind === 'client') return stepSpan(() => rpcSpan('client', subject, server), {}, handle);
  if (work.kind === 'server') {
    const { name, ...described } = rpcSpan('server', subject);
    if (work.links !== undefined) return batchSpan(name, described, work.links, handle);
    return span(name, { ...described, ...begun(traceparent) }, handle);
  }
  const message = { subject, id: work.messageId };
  if (work.kind === 'producer')
    return stepSpan(() => messageSpan('producer', message, server), { traceparent }, handle);
  const { name, ...described } = messageSpan('consumer', { ...message, consumer: work.durable }, server);
  return span(name, { ...described, ...begun(traceparent) }, handle);
}

/** Work that nobody's trace caused begins a trace of its own. */
const begun = (traceparent: string | undefined) => ({ traceparent, root: traceparent === undefined });

/** Returns the server of an address that names one; which of several a process is connected to changes. */
function findServer(natsUrl: string | undefined): Endpoint | undefined {
  const server = URL.parse(natsUrl ?? '');
  return server === null || natsUrl?.includes(',')
    ? undefined
    : { address: server.hostname, port: Number(server.port) || 4222 };
}
