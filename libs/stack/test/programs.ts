import { superviseProcess, type Supervised } from '../src/supervisor.ts';

const supervised: Supervised[] = [];

/** A program under supervision, with its lines so far. */
export type Program = Supervised & { readonly lines: string[] };

/** Supervises a small program given as its source; it is stopped with `stopPrograms`. */
export function program(source: string, env: NodeJS.ProcessEnv = {}): Program {
  const lines: string[] = [];
  const spec = {
    name: 'program',
    command: process.execPath,
    args: ['--input-type=module', '--eval', source],
    cwd: '/',
    env: { PATH: process.env['PATH'], ...env },
  };
  const process_ = superviseProcess(spec, { onLine: (_name, line) => lines.push(line) });
  supervised.push(process_);
  return { ...process_, lines };
}

/** Prints its process id and goes on running; ends when it gets SIGTERM. */
export const living = `
  process.on('SIGTERM', () => { console.log('ending'); process.exit(0); });
  setInterval(() => undefined, 1000);
  console.log('alive', process.pid);`;

export async function stopPrograms(): Promise<void> {
  await Promise.all(supervised.splice(0).map((each) => each.stop()));
}

export function exists(pid: number | null): boolean {
  if (pid === null) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
