import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBus } from '@gp/bus';
import { openPg } from '@gp/pg';
import { eventually, testDatabase, testNats, type ServiceProcess } from '@gp/testing';
import { send } from './client.ts';
import { password, playNeighbours, schemas } from './dashboard.ts';
import { settings, startService } from './process.ts';

export type Service = Awaited<ReturnType<typeof openService>>;

/**
 * Opens a database and a bus with responders in place of the other services, and one process of the dashboard on
 * them, at which an owner has signed up. A test may start further processes.
 */
export async function openService() {
  const mailFolder = await mkdtemp(join(tmpdir(), 'gp-mail-'));
  const database = await testDatabase({ schemas });
  const nats = await testNats();
  const url = database.url('merchant');
  const db = await openPg({ url, name: 'test', max: 2, connectTimeoutMs: 30_000 });
  const others = await openBus({ servers: nats.url, name: 'others' });
  await eventually(() => others.isConnected() || undefined);
  await others.ensureStreams();
  playNeighbours(others);
  const published: string[] = [];
  others.listen('evt.>', (message) => published.push(JSON.stringify(message)));
  await others.hasStreams();
  const startProcess = (o: Record<string, string> = {}): ServiceProcess => {
    const MAIL_URL = pathToFileURL(mailFolder).href;
    return startService({ ...settings({ database: url, nats: nats.url }), MAIL_URL, ...o });
  };
  const steady = startProcess();
  const port = await steady.port;
  const { cookie } = await signUp(port, ownerEmail);
  const running: ServiceProcess[] = [];
  const endProcesses = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((process) => process.stop('SIGKILL')));
  };
  return {
    db,
    nats,
    /** The connection of the responders. */
    others,
    mailFolder,
    /** Everything that was published. */
    published,
    /** The process that lives through all tests. */
    steady,
    /** Its port. */
    port,
    /** The owner's session. */
    cookie,
    /** Starts a process that ends with the test. */
    launch(o: Record<string, string> = {}): ServiceProcess {
      const process = startProcess(o);
      running.push(process);
      return process;
    },
    endProcesses,
    async close() {
      await endProcesses();
      await steady.stop('SIGKILL');
      await others.close();
      await db.close();
      await nats.stop();
      await database.drop();
      await rm(mailFolder, { recursive: true, force: true });
    },
  };
}

/** The e-mail address of the owner whom `openService` signs up. */
export const ownerEmail = 'owner@casalola.example';

/** Repeats a request until it is answered: a process that has just started may not be connected yet, and reports so. */
export async function sendOnceUp(...request: Parameters<typeof send>): ReturnType<typeof send> {
  for (;;) {
    const reply = await send(...request);
    if (reply.status !== 503) return reply;
  }
}

/** Signs up and follows the link that was mailed. */
export async function signUp(at: number, email: string): ReturnType<typeof send> {
  await sendOnceUp(at, 'POST', '/api/signup', { body: { merchant_name: 'Casa Lola', email, password } });
  const token = await eventually(async () => {
    const { mails } = (await send(at, 'GET', `/api/mailbox?to=${email}`)).body as {
      mails: { text: string }[];
    };
    return /#token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
  });
  return sendOnceUp(at, 'POST', '/api/signup/confirm', { body: { token } });
}
