import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run, say } from '../commands.ts';
import { NODES } from '../constants.ts';
import { workIn } from '../namespace.ts';
import { importImage } from '../node.ts';
import { kept, root } from '../paths.ts';
import { openIngress, openNamespace, releaseWith } from '../platform.ts';
import { values } from '../values.ts';
import { returnFrom, stopRelease } from './installation.ts';

/**
 * The commit whose chart and image are upgraded: 27 November 2026, five days after 1.0.0, which had no servers of its own yet. The tag of the
 * last release takes its place with the next one.
 */
export const PREVIOUS = '29514afb89ba357326c37193d9b38385b9cfe243';
const NAME = 'previous';
const IMAGE = 'localhost/group-payments:previous';
const source = join(kept, NAME, PREVIOUS);

/** One NATS server, since the older chart knows no other number, and streams do not move. */
const overPrevious = { ...values(), bundled: { nats: { servers: 1 } } };

/** Installs the previous release in a namespace of its own; that of the cluster rests meanwhile. */
export async function installPrevious(): Promise<void> {
  makePrevious();
  await stopRelease('deployments', 'statefulsets');
  workIn(NAME);
  openNamespace();
  const [repository, tag] = IMAGE.split(/:(?=[^:/]*$)/);
  const { services, hosts, urls, ingress } = values();
  const old = { image: { repository, tag }, defaults: { replicas: 2 }, services, hosts, urls, ingress };
  releaseWith('install', [old], { folder: join(source, 'charts/group-payments') });
  await openIngress();
}

/** Upgrades it to the release of this checkout. */
export function upgradePrevious(): void {
  releaseWith('upgrade', [overPrevious]);
}

export const leavePrevious = (): Promise<void> => returnFrom(NAME);

/** Builds the image of the previous commit once, on the bases that the present one has, and gives it to both nodes. */
function makePrevious(): void {
  const archive = `${source}.tar`;
  if (!existsSync(archive)) {
    say('Building the image of the previous release (once).');
    mkdirSync(source, { recursive: true });
    run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', PREVIOUS, source], { cwd: root });
    const bases = ['build', 'run'].flatMap((base) => [
      '--build-arg',
      `${base.toUpperCase()}_BASE=localhost/group-payments-base:${base}`,
    ]);
    const limits = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000'];
    const given = ['--runtime', 'runc', '--network', 'host', ...limits, ...bases];
    run('podman', ['build', ...given, '--target', 'run', '--tag', IMAGE, source]);
    run('podman', ['save', '--quiet', '--output', archive, IMAGE]);
  }
  for (const node of NODES) importImage(node, archive);
}
