import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';

/** One delivery as a job of a peer: an event and the address it is due at. */
export type Job = { readonly id: string; readonly url: string; readonly payload: string };

const secret = randomBytes(32).toString('base64');
const key = Buffer.from(secret, 'base64');
const agent = new Agent({ connections: 10 });

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
