import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gp/telemetry';
import type { Mail, Mailbox, Mailer, ReceivedMail } from '../app/mail/mail.ts';

type Deliver = (mail: ReceivedMail) => Promise<void>;

/** A relay that is unavailable for longer loses the mail; the user has to request it again. */
const PAUSES_MS = [1_000, 5_000, 30_000];
const TIMEOUT_MS = 10_000;
/** The number of mails that the mailbox shows. */
const SHOWN = 50;

/** Delivers in the background and retries after a pause. `close` does not wait: users can request links again. */
export function mailer(deliver: Deliver, log: Pick<Logger, 'warn'>): Mailer & { close(): Promise<void> } {
  const closing = new AbortController();
  const attempt = async (mail: Mail): Promise<void> => {
    const dated = { ...mail, sent_at: new Date().toISOString() };
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      try {
        return await deliver(dated);
      } catch (err) {
        // Logs neither the recipient nor the text: a link is as good as a password.
        log.warn({ err }, pauseMs === undefined ? 'a mail was given up' : 'a mail could not be delivered');
        if (pauseMs === undefined) return;
        await delay(pauseMs, undefined, { signal: closing.signal });
      }
    }
  };
  return {
    send: (mail) => void attempt(mail).catch(() => undefined),
    close: async () => closing.abort(),
  };
}

/** Sends mail to an HTTP relay as JSON, `{to, subject, text, sent_at}`, with a bearer token. */
export function toRelay(url: string, token: string | undefined): Deliver {
  return async (mail) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(mail),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the mail relay answered ${response.status}`);
  };
}

/** Writes mail into a folder, for trial stacks. */
export function toFolder(folder: string): Deliver & Mailbox {
  const deliver: Deliver = async (mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${mail.sent_at.replaceAll(':', '-')}-${randomUUID()}.json`;
    await writeFile(join(folder, name), JSON.stringify(mail), { mode: 0o600 });
  };
  /** Returns the newest first. */
  const list = async (): Promise<ReceivedMail[]> => {
    const names = (await readdir(folder).catch(() => [])).toSorted().reverse().slice(0, SHOWN);
    const read = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
    return (await Promise.all(read)).flatMap(parsed);
  };
  return Object.assign(deliver, { list });
}

/** Skips a file that is still being written. */
function parsed(text: string): ReceivedMail[] {
  try {
    return [JSON.parse(text) as ReceivedMail];
  } catch {
    return [];
  }
}
