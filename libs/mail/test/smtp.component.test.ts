import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mailLogin as login, openMailServer, type MailServer } from '@gp/testing';
import { RefusedMailError, UncertainMailError, type OutgoingMail } from '../src/mail.ts';
import { openSmtp, type SmtpSettings } from '../src/smtp.ts';

let folder: string;
let caFile: string;
let server: MailServer;
const plain: MailServer[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gp-smtp-'));
  caFile = join(folder, 'ca.pem');
  server = await openMailServer();
  await writeFile(caFile, server.ca);
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  server.answers.recipient = undefined;
  server.answers.message = undefined;
  server.answers.breaksOffAt = undefined;
  server.received.length = 0;
  await Promise.all(plain.splice(0).map((each) => each.close()));
});

const mail: OutgoingMail = {
  id: '019a0000-0000-7000-8000-000000000001',
  to: 'ana@merchants.example',
  subject: 'Choose a new password',
  text: 'Open this link:\n\nhttps://dashboard.example/reset#token=a\n\nIt works once.',
  html: '<!doctype html><p>Open <a href="https://dashboard.example/reset#token=a">this link</a>',
  sent_at: '2026-01-02T03:04:05.000Z',
};
const open = (o: Partial<SmtpSettings> = {}) =>
  openSmtp({
    url: `smtp://localhost:${server.port}`,
    from: 'Group Payments <no-reply@platform.example>',
    requireTls: true,
    caFile,
    name: 'dashboard.example',
    ...o,
  });
/** A server that offers no encryption. */
async function openPlain(): Promise<MailServer> {
  const opened = await openMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  plain.push(opened);
  return opened;
}
const header = (key: string) => server.received[0]?.mail.headers.find((each) => each.key === key)?.value;

describe('a mail by SMTP', () => {
  it('a mail arrives encrypted, after the login, with sender, text and HTML', async () => {
    await open({ user: login.user, password: login.password })(mail);
    const [received] = server.received;
    expect(received).toMatchObject({ isEncrypted: true, user: login.user });
    expect(received?.envelope).toEqual({ from: 'no-reply@platform.example', to: [mail.to] });
    expect(received?.mail).toMatchObject({
      subject: mail.subject,
      from: { name: 'Group Payments', address: 'no-reply@platform.example' },
      date: mail.sent_at,
    });
    expect(received?.mail.text?.trim()).toBe(mail.text);
    expect(received?.mail.html?.trim()).toBe(mail.html);
  });

  it('a mail is marked as automatic and has the same id in every try', async () => {
    await open()(mail);
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(header('message-id')).toBe(`<${mail.id}@platform.example>`);
  });

  it('a mail that can be unsubscribed from says so by the headers of RFC 8058, and another one has none of them', async () => {
    await open()({ ...mail, unsubscribe: 'https://pay.example/p/abc/unsubscribe' });
    expect(header('list-unsubscribe')).toBe('<https://pay.example/p/abc/unsubscribe>');
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    server.received.length = 0;
    await open()(mail);
    expect(header('list-unsubscribe')).toBeUndefined();
    expect(header('list-unsubscribe-post')).toBeUndefined();
  });

  it('reports of undeliverable mail go to the address for bounces', async () => {
    await open({ bounces: 'bounces@platform.example' })(mail);
    expect(server.received[0]?.envelope.from).toBe('bounces@platform.example');
    expect(server.received[0]?.mail.from?.address).toBe('no-reply@platform.example');
  });

  it('an address with a comma or a line break reaches nobody else', async () => {
    for (const to of [
      'ana@merchants.example,eve@evil.example',
      'ana@merchants.example\r\nBcc: eve@evil.example',
    ])
      await open()({ ...mail, to }).catch(() => undefined);
    const recipients = server.received.flatMap(({ envelope }) => envelope.to);
    expect(recipients).not.toContain('eve@evil.example');
    expect(recipients.length).toBeLessThanOrEqual(server.received.length);
    expect(server.received.some((each) => each.mail.bcc?.length)).toBe(false);
  });

  it('a line break in a subject adds no header', async () => {
    await open()({ ...mail, subject: 'Hello\r\nReply-To: eve@evil.example' });
    expect(header('reply-to')).toBeUndefined();
  });

  it('a server without encryption gets mail only where that is allowed', async () => {
    const insecure = await openPlain();
    const url = `smtp://localhost:${insecure.port}`;
    await expect(open({ url })(mail)).rejects.toThrow();
    expect(insecure.received).toEqual([]);
    await open({ url, requireTls: false })(mail);
    expect(insecure.received).toMatchObject([{ isEncrypted: false }]);
  });

  it('a server whose certificate is signed by nobody known gets no mail', async () => {
    await expect(open({ caFile: undefined })(mail)).rejects.toThrow(/certificate/);
    expect(server.received).toEqual([]);
  });

  it('a server that speaks TLS from the first byte gets mail by smtps', async () => {
    const secure = await openMailServer({ secure: true });
    plain.push(secure);
    const own = join(folder, 'smtps.pem');
    await writeFile(own, secure.ca);
    await open({ url: `smtps://localhost:${secure.port}`, caFile: own })(mail);
    expect(secure.received).toMatchObject([{ isEncrypted: true }]);
  });

  it('a recipient or a message that is refused with 5xx is refused for good', async () => {
    server.answers.recipient = { code: 550, text: 'no such user' };
    await expect(open()(mail)).rejects.toBeInstanceOf(RefusedMailError);
    server.answers.recipient = undefined;
    server.answers.message = { code: 554, text: 'looks like spam' };
    await expect(open()(mail)).rejects.toBeInstanceOf(RefusedMailError);
  });

  it('a temporary refusal and a refused login are no refusal of the mail', async () => {
    server.answers.recipient = { code: 451, text: 'greylisted' };
    await expect(open()(mail)).rejects.not.toBeInstanceOf(RefusedMailError);
    server.answers.recipient = undefined;
    const wrong = open({ user: login.user, password: 'wrong' });
    await expect(wrong(mail)).rejects.not.toBeInstanceOf(RefusedMailError);
    expect(server.received).toEqual([]);
  });

  it('a mail whose connection ends after the whole message and before the answer may have arrived', async () => {
    server.answers.breaksOffAt = 'message';
    await expect(open()(mail)).rejects.toBeInstanceOf(UncertainMailError);
  });

  it('a mail whose connection ends before the message, or that is answered, is not uncertain', async () => {
    server.answers.breaksOffAt = 'recipient';
    await expect(open()(mail)).rejects.not.toBeInstanceOf(UncertainMailError);
    server.answers.breaksOffAt = undefined;
    server.answers.message = { code: 451, text: 'try again later' };
    await expect(open()(mail)).rejects.not.toBeInstanceOf(UncertainMailError);
  });

  it('a server that never answers ends the try', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await expect(open({ url: `smtp://127.0.0.1:${port}`, silenceMs: 50 })(mail)).rejects.toThrow();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
