import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { renderRules, type Namespace, type Pod, type Policy } from './network-policies.ts';
import { inPki } from './pki.ts';

/**
 * `node enforce-policies.ts`, in the space of the cluster, keeps the rules of the network as the NetworkPolicies ask,
 * half a second behind them.
 */
const EVERY_MS = 500;
const read = (file: string) => readFileSync(inPki(file));
const agent = new Agent({
  keepAlive: true,
  ca: read('ca.crt'),
  cert: read('admin.crt'),
  key: read('admin.key'),
});

function list<T>(path: string): Promise<readonly T[]> {
  return new Promise((resolve, reject) => {
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

for (let applied = ''; ; await delay(EVERY_MS)) {
  try {
    const [pods, policies, namespaces] = await Promise.all([
      list<Pod>('/api/v1/pods?resourceVersion=0'),
      list<Policy>('/apis/networking.k8s.io/v1/networkpolicies?resourceVersion=0'),
      list<Namespace>('/api/v1/namespaces?resourceVersion=0'),
    ]);
    const rules = renderRules({ pods, policies, namespaces });
    if (rules === applied) continue;
    execFileSync('nft', ['-f', '-'], { input: rules });
    applied = rules;
    process.stdout.write(`${new Date().toISOString()} ${rules.match(/^ {2}chain/gm)?.length ?? 0} chains\n`);
  } catch (error) {
    process.stderr.write(`${new Date().toISOString()} ${String(error)}\n`);
  }
}
