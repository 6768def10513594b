import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import PostalMime, { type Email } from 'postal-mime';
import { certificateFor } from '@gp/testing';

export type Received = {
  /** The sender and the recipient that the two servers agree on, apart from what the message says. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
  readonly mail: Email;
};

/** What the server answers to a recipient or a message; undefined accepts it. */
export type Answers = {
  recipient?: { readonly code: number; readonly text: string } | undefined;
  message?: { readonly code: number; readonly text: string } | undefined;
};

export const login = { user: 'dashboard', password: 'smtp-password' };

/** Starts a mail server on loopback, on a free port by default, whose certificate is signed by `ca`. */
export async function openMailServer({ port: wanted = 0, ...o }: SMTPServerOptions & { port?: number } = {}) {
  const received: Received[] = [];
  const answers: Answers = {};
  const { key, cert } = certificateFor('localhost');
  const server = new SMTPServer({
    key,
    cert,
    authOptional: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === login.user && password === login.password
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) => done(toError(answers.recipient)),
    onData: (stream, session, done) => {
      void readAll(stream).then(async (raw) => {
        const refusal = toError(answers.message);
        if (refusal) return done(refusal);
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
          isEncrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
          mail: await PostalMime.parse(raw),
        });
        return done();
      });
    },
    ...o,
  });
  // Connections that clients break off.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    ca: cert,
    received,
    answers,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
export type MailServer = Awaited<ReturnType<typeof openMailServer>>;

function toError(refusal: Answers['recipient']): Error | null {
  return refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null;
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
