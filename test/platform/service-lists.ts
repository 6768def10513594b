import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart, processes } from './processes.ts';

const names = Object.keys(processes).filter((name) => !processes[name]?.isSandbox);

/** Hand-written files that list every process: by path from the chart, with the list brought up to date. */
export function serviceLists(): Record<string, string> {
  const alerts = 'alerts/services.yaml';
  const secrets = '../../k8s/dev/secrets.yaml';
  return { [alerts]: listInAlerts(read(alerts)), [secrets]: listInSecrets(read(secrets)) };
}

function read(path: string): string {
  return readFileSync(join(chart, path), 'utf8');
}

/** The selector of all services, and the alert that one of them is gone: `absent` takes no alternatives. */
function listInAlerts(text: string): string {
  const absent = names.map((name) => `absent(process_start_time_seconds{service="${name}"})`);
  return text
    .replace(/service=~"api-gateway\|[^"]*"/g, `service=~"${names.join('|')}"`)
    .replace(/absent\(process_start[^)]*\)(?:\s+or absent\([^)]*\))*/, absent.join('\n          or '));
}

/** The password of each role: its schema, marked as a password for development. */
function listInSecrets(text: string): string {
  const roles = Object.values(processes).map(({ schema }) => schema);
  const lines = roles.map((role) => `  ${role}: development-${role.replaceAll('_', '-')}\n`);
  return text.replace(/(?: {2}[a-z_]+: development-[a-z-]+\n)+/, lines.join(''));
}
