import type { MessageContract, NoteContract } from '@gp/contracts';
import type { Link } from './link.ts';
import type { BusLog } from './log.ts';
import type { Closable } from './serve.ts';
import { matchesSubject } from './subjects.ts';
import { compileCheck } from './validate.ts';
import { parseJson } from './wire.ts';

/** Returns the subject to listen to: that of a note, or of a fact with any key. */
export function readListened<P>(contract: NoteContract<P> | MessageContract<P>): string {
  const [subject = contract.subject] = contract.kind === 'message' ? contract.filters : [];
  return subject;
}

/** See Bus.listenTo. */
export function listenToContract<P>(
  link: Link,
  log: BusLog,
  contract: NoteContract<P> | MessageContract<P>,
  take: (payload: P) => void,
): Closable {
  const check = compileCheck(contract.payload);
  return listenToSubject(link, log, readListened(contract), (m) => {
    const fault = check(m.payload);
    if (fault === undefined) take(m.payload as P);
    else log.warn({ subject: m.subject, fault }, 'a received message breaks its contract');
  });
}

/** See Bus.listen. */
export function listenToSubject(
  link: Link,
  log: BusLog,
  subject: string,
  onMessage: (m: { subject: string; payload: unknown }) => void,
): Closable {
  let unsubscribe = (): void => undefined;
  const detach = link.attach((nc) => {
    const subscription = nc.subscribe(subject, {
      callback: (err, msg) => {
        if (err) return log.error({ subject, err }, 'subscription ended');
        // A server delivers stored messages to whichever subject a consumer names, under their own subject.
        if (!matchesSubject(subject, msg.subject)) return;
        try {
          onMessage({ subject: msg.subject, payload: parseJson(msg.string()) });
        } catch (error) {
          log.error({ subject, err: error }, 'listener failed');
        }
      },
    });
    unsubscribe = () => subscription.unsubscribe();
  });
  return {
    close() {
      detach();
      unsubscribe();
      return Promise.resolve();
    },
  };
}
