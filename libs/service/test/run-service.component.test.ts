import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus } from '@gp/bus';
import { eventually, ownPostgres, testNats, type OwnServer } from '@gp/testing';
import { endAll, get, readPort, start, type Child } from './child.ts';

let postgres: OwnServer;
let nats: OwnServer;
beforeAll(async () => {
  [postgres, nats] = await Promise.all([ownPostgres(), testNats()]);
});
afterEach(endAll);
afterAll(() => Promise.all([postgres.stop(), nats.stop()]));

type Running = { child: Child; http: number; management: number };

async function front(env: Record<string, string> = {}): Promise<Running> {
  const child = start('front', { DATABASE_URL: postgres.url, NATS_URL: nats.url, METRICS_PORT: '0', ...env });
  const http = await readPort(child, 'listening for HTTP');
  return { child, http, management: await readPort(child, 'started') };
}

const fetchStatus = async (port: number, path: string) => (await get(port, path)).status;
/** Repeats a probe that met a busy moment, as a kubelet does. */
const isOnceStatus = (port: number, path: string, status: number) =>
  eventually(async () => ((await fetchStatus(port, path)) === status ? true : undefined));
const failing = async (port: number) =>
  (JSON.parse((await get(port, '/readyz')).text) as { failing: Record<string, string> }).failing;
const becomes = (port: number, expected: object) =>
  eventually(async () =>
    JSON.stringify(await failing(port)) === JSON.stringify(expected) ? true : undefined,
  );

describe('a wrong configuration', () => {
  it('a wrong configuration is refused with exit 78 and every fault on stderr, none of them with its value', async () => {
    const env = { DATABASE_URL: 'mysql://root:hunter2@x/y', METRICS_PORT: 'many', LOG_LEVEL: 'loud' };
    const child = start('front', env);
    const { code, stderr } = await child.ended;
    expect(code).toBe(78);
    for (const name of ['DATABASE_URL', 'NATS_URL', 'METRICS_PORT', 'LOG_LEVEL'])
      expect(stderr).toContain(name);
    expect(stderr).not.toContain('hunter2');
    expect(child.lines).toEqual([]);
  });
});

/** The part of an installation that runs before any service starts. */
async function makeStreams(): Promise<void> {
  const bus = await openBus({ servers: nats.url, name: 'installation' });
  try {
    await bus.ensureStreams();
  } finally {
    await bus.close();
  }
}

describe('startup', () => {
  it('startup waits for the streams, which are no condition of readiness, and stays complete', async () => {
    const { management } = await front();
    await becomes(management, {});
    const { status, text } = await eventually(async () => {
      const answer = await get(management, '/startupz');
      return answer.text.includes('timeout') ? undefined : answer;
    });
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { status: 'unavailable', failing: { streams: 'unavailable' } },
    ]);
    await makeStreams();
    await isOnceStatus(management, '/startupz', 200);
    await nats.down();
    await becomes(management, { nats: 'unavailable' });
    expect(await fetchStatus(management, '/startupz')).toBe(200);
    await nats.up();
  });
});

describe('readiness', () => {
  it('readiness ends and returns with Postgres and NATS, while the process lives on', async () => {
    await makeStreams();
    const { management } = await front();
    await becomes(management, {});
    await isOnceStatus(management, '/readyz', 200);
    expect(await fetchStatus(management, '/healthz')).toBe(200);
    await isOnceStatus(management, '/startupz', 200);

    await postgres.kill();
    await becomes(management, { postgres: 'service_unavailable' });
    expect(await fetchStatus(management, '/readyz')).toBe(503);
    expect(await get(management, '/healthz')).toMatchObject({
      status: 503,
      text: expect.stringContaining('postgres'),
    });
    await nats.kill();
    await becomes(management, { postgres: 'service_unavailable', nats: 'unavailable' });
    expect(await fetchStatus(management, '/livez')).toBe(200);
    expect(await fetchStatus(management, '/startupz')).toBe(200);

    await Promise.all([postgres.up(), nats.up()]);
    await becomes(management, {});
  });

  it('readiness waits for what was away when the service started, and so does startup', async () => {
    await makeStreams();
    await nats.down();
    const { management } = await front();
    await becomes(management, { nats: 'unavailable' });
    expect(await fetchStatus(management, '/startupz')).toBe(503);
    await nats.up();
    await becomes(management, {});
    await isOnceStatus(management, '/startupz', 200);
  });
});

describe('SIGTERM', () => {
  it('a SIGTERM finishes the request in flight, refuses others, makes the service not ready, and exits 0', async () => {
    const { child, http, management } = await front();
    const answer = get(http, '/slow');
    await child.line((line) => line.msg === 'in hand');
    child.signal('SIGTERM');
    await child.line((line) => line.msg === 'stopping');
    expect(await failing(management)).toEqual({ service: 'stopping' });
    await expect(get(http, '/slow')).rejects.toThrow('ECONNREFUSED');
    child.signal('SIGUSR2');
    expect((await answer).status).toBe(200);
    expect(await child.ended).toMatchObject({ code: 0 });
    expect(child.lines.at(-1)?.msg).toBe('stopped');
  });

  it('a SIGTERM ends an idle service, also without Postgres and NATS', async () => {
    const { child, management } = await front();
    await Promise.all([postgres.kill(), nats.kill()]);
    await becomes(management, { postgres: 'service_unavailable', nats: 'unavailable' });
    child.signal('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 0 });
    await Promise.all([postgres.up(), nats.up()]);
  });

  it('a second SIGTERM ends at once what does not end', async () => {
    const child = start('stubborn', { METRICS_PORT: '0' });
    await child.line((line) => line.msg === 'started');
    child.signal('SIGTERM');
    await child.line((line) => line.msg === 'stopping');
    child.signal('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 1 });
    expect(child.lines.at(-1)?.msg).toBe('second signal, exiting at once');
  });

  it('a SIGTERM ends with exit 1 what does not end within SHUTDOWN_SECONDS', async () => {
    const child = start('stubborn', { METRICS_PORT: '0', SHUTDOWN_SECONDS: '1' });
    await child.line((line) => line.msg === 'started');
    child.signal('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 1 });
    expect(child.lines.at(-1)?.msg).toBe('could not stop in time, exiting');
  });
});

describe('a failure', () => {
  it('an uncaught failure is logged without its message and ends the process with exit 1', async () => {
    const child = start('stubborn', { METRICS_PORT: '0' });
    await child.line((line) => line.msg === 'started');
    child.signal('SIGUSR2');
    expect(await child.ended).toMatchObject({ code: 1, stderr: '' });
    expect(child.lines.at(-1)).toMatchObject({ level: 'fatal', error: { name: 'Error' } });
    expect(JSON.stringify(child.lines)).not.toContain('Anna');
  });

  it('a failure to start is logged and ends the process with exit 1', async () => {
    const child = start('stubborn', { METRICS_PORT: '0', BROKEN_WIRE: 'true' });
    expect(await child.ended).toMatchObject({ code: 1, stderr: '' });
    expect(child.lines).toMatchObject([{ level: 'fatal', msg: 'could not start' }]);
  });

  it('a failure sets the exit code even when nobody reads the log lines', async () => {
    const child = start('unread', {});
    child.ignore();
    expect(await child.ended).toMatchObject({ code: 3 });
  });

  it('a failure in a route is a 500 for the caller and a logged error with its place, and discloses no secret', async () => {
    const { child, http } = await front();
    const answer = await get(http, '/fail');
    expect(answer.status).toBe(500);
    const line = await child.line(({ route }) => route === '/fail');
    expect(line).toMatchObject({
      level: 'error',
      status: 500,
      error: { at: expect.stringContaining('front.ts') },
    });
    expect(JSON.stringify(child.lines) + answer.text).not.toMatch(/Anna|4242424242424242/);
  });
});

describe('the management server', () => {
  it('the management server measures requests by route pattern, and the process itself', async () => {
    const { http, management } = await front();
    await get(http, '/nowhere/4711');
    const page = (await get(management, '/metrics')).text;
    expect(page).toContain(
      'gp_http_requests_total{route="unmatched",method="GET",status="404",service="front"} 1',
    );
    expect(page).toContain('process_resident_memory_bytes{service="front"}');
    expect(page).not.toContain('/4711');
  });

  it('the management server has no other page', async () => {
    const { management } = await front();
    expect(await fetchStatus(management, '/')).toBe(404);
    expect(await fetchStatus(management, '/livez?probe=1')).toBe(200);
  });

  it('the management server answers HEAD as GET, without the body, and refuses what changes something', async () => {
    const { management } = await front();
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`http://127.0.0.1:${management}${path}`, { method });
      return [answer.status, answer.headers.get('content-type'), (await answer.text()) === ''];
    };
    for (const path of ['/livez', '/readyz', '/metrics']) {
      const [status, type] = await ask('GET', path);
      expect(await ask('HEAD', path)).toEqual([status, type, true]);
      expect(await ask('POST', path)).toEqual([404, null, true]);
    }
    expect(await ask('HEAD', '/')).toEqual([404, null, true]);
  });
});
