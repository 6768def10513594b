import { existsSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';

/**
 * A command line under which the kernel sends `signal` to the process when we die, even by kill -9: nothing is left
 * behind that holds a port. Where `setpriv` does not exist it is the command as it was.
 */
export function dyingWithUs(
  signal: 'INT' | 'KILL',
  command: string,
  args: readonly string[],
): readonly [command: string, args: readonly string[]] {
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', signal, '--', command, ...args]] : [command, args];
}
