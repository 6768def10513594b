import { setTracePropagation } from '@gp/bus';
import { batchSpan, currentTraceparent, span, subjectName } from '@gp/telemetry';

/**
 * Carries traces over the bus: the work for a message is a child of its sender's span, a batch is linked to all
 * senders.
 */
export function traceBus(): void {
  setTracePropagation({
    current: currentTraceparent,
    run(subject, traceparent, kind, work, links) {
      const name = subjectName(subject);
      const options = { kind, attributes: { subject: name } };
      if (links !== undefined) return batchSpan(name, options, links, work);
      return span(name, { ...options, traceparent, root: traceparent === undefined }, work);
    },
  });
}
