import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../commands.ts';
import { ADDRESS } from '../constants.ts';
import { here, root, running } from '../paths.ts';
import { orUnavailable } from '../programs.ts';
import { spawnInside } from '../space.ts';

export type Prometheus = {
  /** Where pods reach it. */
  readonly url: string;
  end(): Promise<void>;
};

const PORT = 9090;

/** Starts a Prometheus in the space of the cluster, which reads the metrics of all pods of the platform; resolves when it is ready. */
export async function startPrometheus(): Promise<Prometheus> {
  const program = orUnavailable('there is no Prometheus', () =>
    run('sh', ['.configs/tools.sh', 'prometheus'], { cwd: root }).trim(),
  );
  const folder = join(running, 'prometheus');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const args = ['--no-warnings', join(here, 'drills/run-prometheus.ts'), program, folder, String(PORT)];
  const child = spawnInside(process.execPath, args, process.env);
  const ended = once(child, 'exit');
  const isReady = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error(`Prometheus has ended: see ${folder}/prometheus.log`);
  return {
    url: `http://${ADDRESS}:${PORT}`,
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
