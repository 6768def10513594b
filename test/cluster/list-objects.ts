import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { inPki } from './pki.ts';

const read = (file: string) => readFileSync(inPki(file));

/** Lists objects of the cluster by a path of its API; for programs in the space of the cluster. */
export type ListObjects = <T>(path: string) => Promise<readonly T[]>;

/** Opens the API as the administrator, with one kept connection. */
export function openApi(): ListObjects {
  const agent = new Agent({
    keepAlive: true,
    ca: read('ca.crt'),
    cert: read('admin.crt'),
    key: read('admin.key'),
  });
  return <T>(path: string) =>
    new Promise<readonly T[]>((resolve, reject) => {
      const request = get({ host: '127.0.0.1', port: 6443, path, agent, timeout: 5_000 }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200)
            resolve((JSON.parse(Buffer.concat(parts).toString()) as { items: readonly T[] }).items);
          else reject(new Error(`${path} answered ${response.statusCode}`));
        });
      });
      request.on('timeout', () => request.destroy(new Error(`${path} did not answer`)));
      request.on('error', reject);
    });
}
