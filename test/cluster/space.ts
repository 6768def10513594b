import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from './commands.ts';
import { ADDRESS, CGROUP, OUTSIDE } from './constants.ts';
import { kept, running } from './paths.ts';

const pause = join(kept, 'bin/pause');
const pidFile = join(running, 'pid');

/** The first process of the space as this machine numbers it; undefined when there is none. */
export function findSpace(): number | undefined {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  try {
    return readlinkSync(`/proc/${pid}/exe`) === pause ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens the space that the cluster lives in: processes, mounts and network of its own. When its first process ends,
 * the kernel ends all others and takes mounts, links and rules with them.
 */
export async function openSpace(hosts: string): Promise<void> {
  mkdirSync(join(running, 'log'), { recursive: true });
  const apart = ['--fork', '--pid', '--mount', '--net', '--ipc', '--uts', '--mount-proc', '--kill-child'];
  const child = spawn('unshare', [...apart, '--propagation', 'private', pause], {
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  const children = `/proc/${child.pid}/task/${child.pid}/children`;
  const giveUpAt = Date.now() + 10_000;
  let pid = '';
  while ((pid = readFileSync(children, 'utf8').trim()) === '' || readlinkSync(`/proc/${pid}/exe`) !== pause) {
    if (Date.now() > giveUpAt) throw new Error('the space of the cluster did not open');
    await delay(50);
  }
  writeFileSync(pidFile, pid);
  writeFileSync(join(running, 'hosts'), hosts);
  writeFileSync(join(running, 'resolv.conf'), `nameserver ${ADDRESS}\n`);
  inside('sh', ['-euc', FURNISH, 'sh', kept, ADDRESS, OUTSIDE]);
}

/** Debian's programs lie over /usr, and what would be written to /run and /etc stays here. */
const FURNISH = `
mount --make-rshared /
mount -t overlay overlay -o "lowerdir=$1/debian/root/usr:/usr" /usr
mount -t tmpfs tmpfs /run
for file in hosts resolv.conf; do
  touch "/etc/$file"
  mount --bind "$1/run/$file" "$(readlink -f "/etc/$file")"
done
ip link set lo up
ip link add nodes type bridge
ip address add "$2/24" dev nodes
ip address add "$3/32" dev nodes
ip link set nodes up
ip route add default dev nodes
echo 1 >/proc/sys/net/ipv4/ip_forward
`;

const enter = (): string[] => {
  const pid = findSpace();
  if (pid === undefined) throw new Error('there is no cluster: npm run cluster makes one');
  return ['--target', String(pid), '--pid', '--mount', '--net', '--ipc', '--uts', '--'];
};

/** Runs a command in the space and returns what it prints. */
export function inside(
  command: string,
  args: readonly string[],
  settings: Parameters<typeof run>[2] = {},
): string {
  return run('nsenter', [...enter(), command, ...args], settings);
}

/** Starts a program in the space; it goes on until the space ends. Its output is run/log/<name>.log. */
export function startInside(name: string, command: string, args: readonly string[]): void {
  const log = openSync(join(running, 'log', `${name}.log`), 'a');
  const child = spawn('nsenter', [...enter(), command, ...args], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
}

/** Starts a program in the space whose input and output are the caller's; its errors are the terminal's. */
export function spawnInside(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn('nsenter', [...enter(), command, ...args], { stdio: ['pipe', 'pipe', 'inherit'], env });
}

/** Runs a command in the space with this terminal; resolves with its exit code. */
export function attachInside(command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn('nsenter', [...enter(), ...command], { stdio: 'inherit', env });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

/** Ends the space and removes what it left: groups of processes and the folder of the run. */
export async function closeSpace(): Promise<void> {
  const pid = findSpace();
  if (pid !== undefined) {
    process.kill(pid, 'SIGKILL');
    const giveUpAt = Date.now() + 60_000;
    while (existsSync(`/proc/${pid}`)) {
      if (Date.now() > giveUpAt) throw new Error(`process ${pid} does not end`);
      await delay(100);
    }
  }
  // A group of processes is a folder that can only be removed when it is empty, the innermost first.
  const sweep = `for top in /sys/fs/cgroup/*/${CGROUP} /sys/fs/cgroup/${CGROUP}; do
    [ -d "$top" ] && find "$top" -depth -type d -exec rmdir {} +; done; true`;
  execFileSync('sh', ['-c', sweep], { stdio: 'inherit' });
  rmSync(running, { recursive: true, force: true, maxRetries: 5 });
}
