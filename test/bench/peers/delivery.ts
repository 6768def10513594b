import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';

/** One delivery as a job of a peer: an event and the address it is due at. */
export type Job = { readonly id: string; readonly url: string; readonly payload: string };

const secret = randomBytes(32).toString('base64');
const key = Buffer.from(secret, 'base64');
const agent = new Agent({ connections: 10 });
const urls = (process.env['URLS'] ?? '').split(' ');

/** Builds the jobs of one round, the addresses in turn. */
export function buildJobs(count: number): Job[] {
  return Array.from({ length: count }, (_, index) => buildJob(urls[index % urls.length] ?? ''));
}

function buildJob(url: string): Job {
  const id = randomUUID();
  const data = { group_payment_id: id, state: 'paid', is_test_mode: true, sequence: 1 };
  const created = new Date().toISOString();
  return {
    id,
    url,
    payload: JSON.stringify({ id, type: 'group_payment.paid', created, group_id: id, data }),
  };
}

/** Splits jobs into batches of at most `size`. */
export function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size);
}

/** Sends a delivery with the two signatures that a delivery of the platform has; throws unless a 2xx answers. */
export async function deliver(job: Job): Promise<number> {
  const t = Math.floor(Date.now() / 1000);
  const answer = await request(job.url, {
    method: 'POST',
    dispatcher: agent,
    body: job.payload,
    headers: {
      'content-type': 'application/json',
      'service-signature': `t=${t},v1=${mac(secret, `${t}.${job.payload}`, 'hex')}`,
      'service-event-id': job.id,
      'webhook-id': job.id,
      'webhook-timestamp': String(t),
      'webhook-signature': `v1,${mac(key, `${job.id}.${t}.${job.payload}`, 'base64')}`,
    },
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`the endpoint answers ${answer.statusCode}`);
  return answer.statusCode;
}

function mac(by: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', by).update(text).digest(encoding);
}
