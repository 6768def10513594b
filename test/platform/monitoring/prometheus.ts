import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@gp/testing';
import { stringify } from 'yaml';
import { ruleFiles } from './alerts/rules.ts';

const program = process.env['GP_PROMETHEUS'] ?? 'prometheus';
/** Also how long a scrape may take, which on a busy machine is seconds. */
const SCRAPE_SECONDS = 5;

/** A time series as Prometheus answers it; a value is NaN where there was nothing to compute. */
export type Answered = {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
};
type Target = { readonly health: string; readonly lastScrape: string; readonly lastError: string };
type RuleState = {
  readonly type: 'alerting' | 'recording';
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
};

export type Prometheus = {
  /** Asks for a range of time up to now. Throws what Prometheus says against the question. */
  ask(expr: string, since: Date): Promise<readonly Answered[]>;
  /** Every name it has a series of. */
  names(): Promise<readonly string[]>;
  /** Resolves when every process was scraped after this instant; throws how they are when that does not happen. */
  scrapedSince(since: Date): Promise<void>;
  /** Alerts and recorded series, with how their last evaluation went. */
  rules(): Promise<readonly RuleState[]>;
  close(): Promise<void>;
};

/** A server of its own that scrapes these processes, by name, as a PodMonitor would have them scraped, and knows our alerts. */
export async function openPrometheus(pages: Readonly<Record<string, string>>): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-prometheus-'));
  const address = `127.0.0.1:${await freePort()}`;
  await writeFile(join(folder, 'prometheus.yaml'), stringify(configuration(pages)));
  const server = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(server, 'exit');
  const get = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as {
      data: T;
      error?: string;
    };
    if (answer.error !== undefined) throw new Error(`${decodeURIComponent(path)}: ${answer.error}`);
    return answer.data;
  };
  await eventually(() => get('status/buildinfo').then(Boolean, () => undefined));
  return {
    async ask(expr, since) {
      const times = { ...stepsFrom(since), step: `${SCRAPE_SECONDS}s` };
      const { result } = await get<{ result: Answered[] }>(
        `query_range?${new URLSearchParams({ query: expr, ...times }).toString()}`,
      );
      return result;
    },
    names: () => get('label/__name__/values'),
    async scrapedSince(since) {
      const late = async (): Promise<Target[]> =>
        (await get<{ activeTargets: Target[] }>('targets')).activeTargets.filter(
          ({ health, lastScrape }) => health !== 'up' || new Date(lastScrape) <= since,
        );
      // It knows its targets a moment after it answers.
      const isKnown = async (): Promise<boolean> =>
        (await get<{ activeTargets: Target[] }>('targets')).activeTargets.length ===
        Object.keys(pages).length;
      const isDone = async (): Promise<boolean> => (await isKnown()) && (await late()).length === 0;
      await eventually(async () => (await isDone()) || undefined).catch(async () => {
        throw new Error(`not scraped: ${JSON.stringify(await late())}`);
      });
    },
    rules: async () =>
      (await get<{ groups: { rules: RuleState[] }[] }>('rules')).groups.flatMap(({ rules }) => rules),
    async close() {
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The last step is now: what the last scrape brought would otherwise lie after it. */
function stepsFrom(since: Date): { start: string; end: string } {
  const stepMs = SCRAPE_SECONDS * 1_000;
  const endMs = Date.now();
  const startMs = endMs - Math.ceil((endMs - since.getTime()) / stepMs) * stepMs;
  return { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}

function configuration(pages: Readonly<Record<string, string>>): object {
  return {
    global: { scrape_interval: `${SCRAPE_SECONDS}s`, evaluation_interval: '5s' },
    rule_files: ruleFiles,
    scrape_configs: [
      {
        job_name: 'group-payments',
        honor_labels: true,
        static_configs: Object.entries(pages).map(([service, page]) => ({
          targets: [new URL(page).host],
          labels: { namespace: 'payments', pod: `${service}-0` },
        })),
      },
    ],
  };
}
