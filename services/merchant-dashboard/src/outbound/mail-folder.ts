import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deliver, Mailbox, ReceivedMail } from '../app/mail/mail.ts';

/** The number of mails that the mailbox shows. */
const SHOWN = 50;

/** Writes mail into a folder, for trial stacks. */
export function openMailFolder(folder: string): { readonly deliver: Deliver } & Mailbox {
  return {
    async deliver(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${mail.sent_at.replaceAll(':', '-')}-${mail.id}.json`;
      await writeFile(join(folder, name), JSON.stringify(mail), { mode: 0o600 });
    },
    /** Returns the newest first. */
    async list() {
      const names = (await readdir(folder).catch(() => [])).toSorted().reverse().slice(0, SHOWN);
      const read = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
      return (await Promise.all(read)).flatMap(parsed);
    },
  };
}

/** Skips a file that is still being written. */
function parsed(text: string): ReceivedMail[] {
  try {
    return [JSON.parse(text) as ReceivedMail];
  } catch {
    return [];
  }
}
