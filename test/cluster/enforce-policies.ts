import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { openApi } from './list-objects.ts';
import { renderRules, type Namespace, type Pod, type Policy } from './network-policies.ts';

/**
 * `node enforce-policies.ts`, in the space of the cluster, keeps the rules of the network as the NetworkPolicies ask,
 * half a second behind them.
 */
const EVERY_MS = 500;
const list = openApi();

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
