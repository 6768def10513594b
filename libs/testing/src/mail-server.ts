import type { Socket } from 'node:net';
import type { Email } from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { certificateFor } from './certificate.ts';

export type ReceivedMail = {
  /** The sender and the recipient that the two servers agree on, apart from what the message says. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
  readonly mail: Email;
};

/** What the server answers to a recipient or a message; undefined accepts it. */
type Answers = {
  /** In place of this answer the connection ends. */
  breaksOffAt?: 'recipient' | 'message' | undefined;
  recipient?: { readonly code: number; readonly text: string } | undefined;
  message?: { readonly code: number; readonly text: string } | undefined;
};

/** The user whom the server lets in. */
export const mailLogin = { user: 'dashboard', password: 'smtp-password' };

/** Starts a mail server on loopback, on a free port by default, whose certificate is signed by `ca`. */
export async function openMailServer({ port: wanted = 0, ...o }: SMTPServerOptions & { port?: number } = {}) {
  // Most test files need no mail server.
  const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([
    import('smtp-server'),
    import('postal-mime'),
  ]);
  const received: ReceivedMail[] = [];
  const answers: Answers = {};
  const { key, cert } = certificateFor('localhost');
  const server = new SMTPServer({
    key,
    cert,
    authOptional: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === mailLogin.user && password === mailLogin.password
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) => {
      if (answers.breaksOffAt === 'recipient') return breakOff();
      return done(toError(answers.recipient));
    },
    onData: (stream, session, done) => {
      void readAll(stream).then(async (raw) => {
        if (answers.breaksOffAt === 'message') return breakOff();
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
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const breakOff = (): void => {
    for (const socket of sockets) socket.destroy();
  };
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
