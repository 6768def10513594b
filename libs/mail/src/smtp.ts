import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { createTransport } from 'nodemailer';
import { RefusedMailError, UncertainMailError, type Deliver } from './mail.ts';

export type SmtpSettings = {
  /** `smtp:` upgrades by STARTTLS, `smtps:` speaks TLS from the first byte. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** `address` or `Name <address>`. */
  readonly from: string;
  /** Where mail servers report what they could not deliver; the address of `from` by default. */
  readonly bounces?: string | undefined;
  /** Whether a server without STARTTLS gets no mail. */
  readonly requireTls: boolean;
  /** File with the authorities that may sign the server's certificate, PEM; the system's by default. */
  readonly caFile?: string | undefined;
  /** How long the server may be silent, ms; 10 seconds by default. */
  readonly silenceMs?: number;
  /** The host name under which this program greets the server. */
  readonly name: string;
};

const SILENCE_MS = 10_000;
/** A try that takes longer counts as failed. */
const WHOLE_MS = 60_000;

/** Opens a way to a mail server; each mail has a connection of its own. */
export function openSmtp(settings: SmtpSettings): Deliver {
  const { from, bounces } = settings;
  const options = toOptions(settings);
  const domain = toDomain(from);
  return async ({ id, to, subject, text, html, sent_at, unsubscribe }) => {
    const { transport, hasLeft } = openTransport(options);
    const sending = transport.sendMail({
      from,
      // Named apart, so that a comma in an address does not make two recipients of one.
      to: { name: '', address: to },
      ...(bounces !== undefined && { envelope: { from: bounces, to: [to] } }),
      subject,
      text,
      html,
      date: sent_at,
      messageId: `<${id}@${domain}>`,
      signal: AbortSignal.timeout(WHOLE_MS),
      headers: {
        // Absence notes and other programs that answer mail leave such mail alone.
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    });
    await sending.catch((error: unknown) => {
      if (isForGood(error)) throw new RefusedMailError('the mail server refused the mail', { cause: error });
      if (hasLeft() && !isAnswer(error))
        throw new UncertainMailError('the mail server may have accepted the mail', { cause: error });
      throw error;
    });
  };
}

/**
 * Returns a transport for one mail, and whether the message was read to its end: the server gets the sign that ends it only
 * then, and what it has not got to its end it does not accept.
 */
function openTransport(options: ReturnType<typeof toOptions>) {
  let isWhole = false;
  const transport = createTransport(options);
  transport.use('stream', (mail, done) => {
    mail.message?.processFunc((message) =>
      message.once('end', () => void (isWhole = true)).pipe(new PassThrough()),
    );
    done();
  });
  return { transport, hasLeft: () => isWhole };
}

function toOptions(settings: SmtpSettings) {
  const { url, user, password, requireTls, caFile, name, silenceMs = SILENCE_MS } = settings;
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && requireTls,
    name,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...(caFile !== undefined && { tls: { ca: readFileSync(caFile, 'utf8') } }),
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    // Nothing of a mail may be read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const toDomain = (address: string): string => /@([^@>\s]+)>?$/.exec(address)?.[1] ?? 'localhost';

/** The server said what became of the mail. */
const isAnswer = (error: unknown): boolean => ((error as { responseCode?: number }).responseCode ?? 0) > 0;

/** A 5xx to the recipient or to the message itself; a refused login or sender is the operator's to mend. */
function isForGood(error: unknown): boolean {
  const {
    code,
    command,
    responseCode = 0,
  } = error as {
    code?: string;
    command?: string;
    responseCode?: number;
  };
  const isAboutMail = code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO');
  return isAboutMail && responseCode >= 500 && responseCode <= 599;
}
