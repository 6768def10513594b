import { readdir, readFile } from 'node:fs/promises';
import { send } from '../support/api.ts';
import type { StackFile } from '../support/stack.ts';

const TICKS_PER_SECOND = 100;

/** CPU seconds that all processes of the stack have used so far, Postgres' backends and NATS included. */
export async function cpuSeconds(stack: StackFile): Promise<number> {
  return [...(await cpuSecondsByProcess(stack)).values()].reduce((sum, seconds) => sum + seconds, 0);
}

/** CPU seconds of each process of the stack so far, by its name and with its children. */
export async function cpuSecondsByProcess(stack: StackFile): Promise<Map<string, number>> {
  const { body } = await send('GET', `${stack.control}/processes`);
  const all = await processTree();
  const processes = body['processes'] as { name: string; pid: number | null }[];
  return new Map(processes.map(({ name, pid }) => [name, pid === null ? 0 : treeSeconds(pid, all)]));
}

/** The sandbox plays the gateways' own machines. */
export const SANDBOX = 'psp-sandbox';

/** CPU seconds of the platform so far: of all processes but the sandbox. */
export async function platformCpuSeconds(stack: StackFile): Promise<number> {
  const byProcess = await cpuSecondsByProcess(stack);
  return [...byProcess].reduce((sum, [name, seconds]) => (name === SANDBOX ? sum : sum + seconds), 0);
}

/** Resident memory of each process of the stack, MB. */
export async function residentMb(stack: StackFile): Promise<Map<string, number>> {
  const { body } = await send('GET', `${stack.control}/processes`);
  const memory = new Map<string, number>();
  for (const { name, pid } of body['processes'] as { name: string; pid: number }[]) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    memory.set(name, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024);
  }
  return memory;
}

/** CPU seconds of any process so far, with its children. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return treeSeconds(pid, await processTree());
}

/** The parent of a process. */
export async function findParent(pid: number): Promise<number> {
  return (await processTree()).get(pid)?.parent ?? NaN;
}

type Process = { readonly parent: number; readonly seconds: number };

async function processTree(): Promise<Map<number, Process>> {
  const tree = new Map<number, Process>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // The command, in parentheses, may hold spaces: count fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
    tree.set(Number(entry), { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND });
  }
  return tree;
}

function treeSeconds(pid: number, all: ReadonlyMap<number, Process>): number {
  let sum = all.get(pid)?.seconds ?? 0;
  for (const [child, { parent }] of all) if (parent === pid) sum += treeSeconds(child, all);
  return sum;
}
