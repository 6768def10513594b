import { chownSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProcessSpec } from './supervisor.ts';

/** Settings that an image cannot use: our search path and a cache on its disk. */
const HERE_ONLY = ['PATH', 'NODE_COMPILE_CACHE'];
const NONROOT = 65_532;

/**
 * The restrictions of a container, as in a cluster: no root, no capability, nothing to write to. It shares our
 * network.
 */
const CLOSED = [
  ...['--runtime', 'runc', '--network', 'host'],
  ...['--user', `${NONROOT}:${NONROOT}`, '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--read-only', '--read-only-tmpfs=false'],
  // Containers of nested machines may not ask for more than these.
  ...['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000'],
];

/**
 * Returns the same process as a container of the image, under podman: `name` is the container's, `entry` the
 * compiled file that it runs. Settings reach it through podman's environment, so that no list of processes shows a
 * secret.
 */
export function inImage(
  image: string,
  { name, entry, process }: { name: string; entry: string; process: ProcessSpec },
): ProcessSpec {
  const settings = Object.keys(process.env).filter((setting) => !HERE_ONLY.includes(setting));
  const environment = settings.flatMap((setting) => ['--env', setting]);
  const args = ['run', '--rm', '--name', name, ...CLOSED, ...mailFolder(process.env), ...environment];
  return { ...process, command: 'podman', args: [...args, image, entry] };
}

/** The folder for the mail of a stack has the same path inside and outside the container. */
function mailFolder({ MAIL_URL: url }: NodeJS.ProcessEnv): string[] {
  if (!url?.startsWith('file:')) return [];
  const folder = fileURLToPath(url);
  mkdirSync(folder, { recursive: true });
  chownSync(folder, NONROOT, NONROOT);
  return ['--volume', `${folder}:${folder}`];
}
