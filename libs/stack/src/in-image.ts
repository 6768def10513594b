import type { ProcessSpec } from './supervisor.ts';

/** What an image cannot have: our search path, a cache on its disk, and a folder of ours for mail. */
const HERE_ONLY = ['PATH', 'NODE_COMPILE_CACHE', 'MAIL_URL'];

/** How a container is closed, as in a cluster: no root, no capability, nothing to write to. It shares our network. */
const CLOSED = [
  ...['--runtime', 'runc', '--network', 'host'],
  ...['--user', '65532:65532', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--read-only', '--read-only-tmpfs=false'],
  // Containers of nested machines may not ask for more than these.
  ...['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000'],
];

/**
 * The same process as a container of the image, under podman: `name` is the container's, `entry` the compiled file that
 * it runs. Settings reach it through podman's environment, so that no list of processes shows a secret.
 */
export function inImage(
  image: string,
  { name, entry, process }: { name: string; entry: string; process: ProcessSpec },
): ProcessSpec {
  const settings = Object.keys(process.env).filter((setting) => !HERE_ONLY.includes(setting));
  return {
    ...process,
    command: 'podman',
    args: [
      'run',
      '--rm',
      '--name',
      name,
      ...CLOSED,
      ...settings.flatMap((each) => ['--env', each]),
      image,
      entry,
    ],
  };
}
