import { existsSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';

/**
 * Returns a command line under which the kernel sends `signal` to the process when we die, even by kill -9: no
 * process that holds a port is left behind. Where `setpriv` does not exist it returns the command unchanged.
 */
export function dyingWithUs(
  signal: 'INT' | 'KILL',
  command: string,
  args: readonly string[],
): readonly [command: string, args: readonly string[]] {
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', signal, '--', command, ...args]] : [command, args];
}
