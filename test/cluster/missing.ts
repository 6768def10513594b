import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a machine has of that which the cluster cannot bring itself. */
export type Machine = {
  readonly platform: string;
  readonly root: boolean;
  /** `ID` of /etc/os-release. */
  readonly system: string;
  readonly kernel: { readonly overlay: boolean };
  readonly absent: readonly string[];
};

/** Programs that every step calls; each is of Debian's base or of the package that has its name. */
const PROGRAMS = ['apt-get', 'dpkg-deb', 'ip', 'openssl', 'unshare', 'nsenter', 'mount'];

/** Says in one sentence why this machine cannot have the cluster; undefined when it can. */
export function findObstacle(machine: Machine): string | undefined {
  if (machine.platform !== 'linux-x64') return `it runs on Linux on x64, and this is ${machine.platform}.`;
  if (!machine.root) return 'namespaces, mounts and containers take root.';
  if (machine.system !== 'debian')
    return `its containers and rules of the network are made by Debian's packages, and this is ${machine.system}.`;
  if (!machine.kernel.overlay) return 'the kernel has no overlay file system.';
  if (machine.absent.length > 0) return `there is no ${machine.absent.join(', no ')} on PATH.`;
  return undefined;
}

/** Looks at the machine this runs on. */
export function readMachine(): Machine {
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  const isThere = (program: string) => {
    try {
      execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  return {
    platform: `${process.platform}-${process.arch}`,
    root: process.getuid?.() === 0,
    system: /^ID="?([a-z]+)/m.exec(read('/etc/os-release'))?.[1] ?? 'another system',
    kernel: { overlay: /\boverlay\b/.test(read('/proc/filesystems')) },
    absent: PROGRAMS.filter((program) => !isThere(program)),
  };
}
