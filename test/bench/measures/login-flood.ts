import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { ratios, round, computeSpread, type Figure } from '../ratios.ts';
import type { Bench } from '../bench.ts';

const LOGINS = 20;
/** Bogus confirms in flight during the flood. */
const AT_ONCE = 60;
const CONFIRMS = ['/api/password-reset/confirm', '/api/invitations/accept'];

/**
 * Time of other users' logins during a flood of requests for links that were never mailed, against the time without it.
 * The stack's limits are raised, so this is a flood from more addresses than a limit by address stops.
 */
export async function measureLoginFlood({ stack, merchant, rounds, say }: Bench): Promise<Figure[]> {
  const client = new Pool(stack.dashboard, { connections: AT_ONCE + 1 });
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await client.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
    await answer.body.dump();
    return answer.statusCode;
  };
  const logIn = () => post('/api/login', { email: merchant.email, password: merchant.password });
  const quiet: number[] = [];
  const flooded: number[] = [];
  let confirms = 0;
  try {
    await measureMedian(logIn);
    for (let turn = 0; turn < rounds; turn++) {
      quiet.push(await measureMedian(logIn));
      const flood = startFlood((path) => post(path, { token: bogusToken(), password: 'x'.repeat(200) }));
      flooded.push(await measureMedian(logIn));
      confirms += await flood.stop();
      say(
        `round ${turn + 1}: login ${round(quiet.at(-1) ?? NaN)} ms, flooded ${round(flooded.at(-1) ?? NaN)} ms`,
      );
    }
  } finally {
    await client.close();
  }
  const ratio = ratios(flooded, quiet);
  const [alone, under] = [computeSpread(quiet).median, computeSpread(flooded).median];
  return [
    {
      id: 'login-flood',
      what: `login of others under ${AT_ONCE} bogus confirms at once / without, median of ${LOGINS}`,
      value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)}), ${round(under, 0)} ms against ${round(alone, 0)} ms`,
      goal: '≤2',
      reached: ratio.median <= 2,
      detail: { quiet_ms: round(alone), flooded_ms: round(under), confirms },
    },
  ];
}

/** Milliseconds of the middle one of some logins after each other. */
async function measureMedian(logIn: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < LOGINS; turn++) {
    const begun = performance.now();
    const status = await logIn();
    if (status !== 200) throw new Error(`a login was answered with ${status}`);
    times.push(performance.now() - begun);
  }
  return computeSpread(times).median;
}

/** Keeps confirms in flight until it is stopped; `stop` returns how many were answered. */
function startFlood(send: (path: string) => Promise<number>): { stop(): Promise<number> } {
  let isOver = false;
  let count = 0;
  const sender = async (path: string): Promise<void> => {
    while (!isOver) {
      await send(path);
      count++;
    }
  };
  const senders = Array.from({ length: AT_ONCE }, (_, at) => sender(CONFIRMS[at % CONFIRMS.length] ?? ''));
  return {
    async stop() {
      isOver = true;
      await Promise.all(senders);
      return count;
    },
  };
}

const bogusToken = (): string => randomBytes(32).toString('base64url');
