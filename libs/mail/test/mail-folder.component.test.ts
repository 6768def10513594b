import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openMailbox, openMailFolder } from '../src/mail-folder.ts';
import type { OutgoingMail } from '../src/mail.ts';

let folder: string;
let address: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gp-mail-'));
  address = pathToFileURL(folder).href;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (n: number): OutgoingMail => ({
  id: `mail-${n}`,
  to: 'ada@payers.example',
  subject: `Mail ${n}`,
  text: 'Hello',
  html: '<p>Hello</p>',
  sent_at: new Date(Date.UTC(2030, 0, 1) + n).toISOString(),
});

describe('the folder of a trial stack', () => {
  it('a mailbox lists the mails of every service, the newest first, with their sender', async () => {
    const [checkout, dashboard] = ['checkout', 'merchant-dashboard'].map((name) =>
      openMailFolder(address, name),
    );
    await checkout?.(write(1));
    await dashboard?.(write(2));
    await checkout?.(write(3));
    expect(await openMailbox(address).list()).toEqual([
      { ...write(3), sender: 'checkout' },
      { ...write(2), sender: 'merchant-dashboard' },
      { ...write(1), sender: 'checkout' },
    ]);
  });

  it('many mails of one service hide none of another', async () => {
    await openMailFolder(address, 'merchant-dashboard')(write(0));
    const deliver = openMailFolder(address, 'checkout');
    for (let n = 1; n <= 60; n++) await deliver(write(n));
    const mails = await openMailbox(address).list();
    expect(mails).toHaveLength(51);
    expect(mails.at(0)?.subject).toBe('Mail 60');
    expect(mails.at(-1)).toMatchObject({ sender: 'merchant-dashboard', subject: 'Mail 0' });
  });

  it('a mailbox knows the services that write into its folder before they have written a mail', async () => {
    const mailbox = openMailbox(address);
    expect(await mailbox.has('checkout')).toBe(false);
    openMailFolder(address, 'checkout');
    expect(await mailbox.has('checkout')).toBe(true);
  });

  it('only the account of the services reads the folder of one, and a file that is still being written is left out', async () => {
    await openMailFolder(address, 'checkout')(write(1));
    const own = join(folder, 'checkout');
    const [name = ''] = await readdir(own);
    expect([(await stat(own)).mode & 0o777, (await stat(join(own, name))).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    await writeFile(join(own, '2031-half.json'), '{"id":');
    expect(await openMailbox(address).list()).toHaveLength(1);
  });

  it('a mailbox whose folder is not there yet is empty', async () => {
    await rm(folder, { recursive: true });
    expect(await openMailbox(address).list()).toEqual([]);
  });
});
