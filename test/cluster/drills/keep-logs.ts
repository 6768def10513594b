import { existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NODES } from '../constants.ts';
import { kept, running } from '../paths.ts';

/** Pods are looked for so often, ms: none is gone sooner. */
const EVERY_MS = 1_000;

/**
 * Keeps the logs of all pods of the release that are there from now on, also of those that go meanwhile, in the folder
 * drills/<name>.logs; returns a function that ends it.
 */
export function keepLogs(name: string): () => void {
  const into = join(kept, 'drills', `${name}.logs`);
  rmSync(into, { recursive: true, force: true });
  const keep = (): void => {
    for (const node of NODES) {
      const from = join(running, 'nodes', node.name, 'logs');
      for (const file of listLogs(from)) link(join(from, file), join(into, file));
    }
  };
  keep();
  const timer = setInterval(keep, EVERY_MS);
  return () => {
    keep();
    clearInterval(timer);
  };
}

const listLogs = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.log'));

/** A second name keeps a file whose first one is deleted; one that goes right now is left out. */
function link(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
