import { mkdirSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deliver, OutgoingMail } from './mail.ts';

/** A mail in a folder. `sender`: the service that wrote it. */
export type KeptMail = OutgoingMail & { readonly sender: string };

/** The mails that the services of a trial stack have written into one folder. */
export type Mailbox = {
  /** Returns the newest first. */
  list(): Promise<KeptMail[]>;
  /** Returns whether a service writes its mails into this folder. */
  has(sender: string): Promise<boolean>;
};

/** The number of mails of each sender that a mailbox has: many mails of one hide none of another. */
const MOST_OF_SENDER = 50;

/**
 * Writes mails into a folder instead of sending them, for trial stacks. `address` of `file:`, the same for all services;
 * each has a folder of its own in it.
 */
export function openMailFolder(address: string, sender: string): Deliver {
  const folder = join(fileURLToPath(address), sender);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return async (mail) => {
    const name = `${mail.sent_at.replaceAll(':', '-')}-${mail.id}.json`;
    await writeFile(join(folder, name), JSON.stringify(mail), { mode: 0o600 });
  };
}

/** Opens the folder for reading. `address`: of `file:`. */
export function openMailbox(address: string): Mailbox {
  const folder = fileURLToPath(address);
  const listSenders = async (): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  };
  return {
    async list() {
      const senders = await listSenders();
      const mails = await Promise.all(senders.map((sender) => readMails(join(folder, sender), sender)));
      return mails.flat().toSorted((one, other) => (one.sent_at < other.sent_at ? 1 : -1));
    },
    has: async (sender) => (await listSenders()).includes(sender),
  };
}

async function readMails(folder: string, sender: string): Promise<KeptMail[]> {
  const names = (await readdir(folder).catch(() => [])).toSorted().reverse().slice(0, MOST_OF_SENDER);
  const read = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(read)).flatMap((text) => parse(text, sender));
}

/** Skips a file that is still being written. */
function parse(text: string, sender: string): KeptMail[] {
  try {
    return [{ ...(JSON.parse(text) as OutgoingMail), sender }];
  } catch {
    return [];
  }
}
