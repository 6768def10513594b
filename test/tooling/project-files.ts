import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder, with a final slash. */
export const project = fileURLToPath(new URL('../..', import.meta.url));

const notOurs = new Set(['node_modules', '.git', '.data', '.turbo', 'dist', 'coverage']);

/** Paths of all files of the project, relative to its root; no logs, nothing installed or built. */
export async function listProjectFiles(folder = project, prefix = ''): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = entries.map(async (entry) => {
    const path = prefix + entry.name;
    // A second stack keeps its data beside that of the first, in `.data-<port>` for example.
    if (notOurs.has(entry.name) || entry.name.startsWith('.data-')) return [];
    if (entry.isDirectory()) return listProjectFiles(join(folder, entry.name), `${path}/`);
    return entry.isFile() && !entry.name.endsWith('.log') ? [path] : [];
  });
  return (await Promise.all(nested)).flat();
}

/** Text of one file of the project. */
export const readProjectFile = (file: string): Promise<string> => readFile(join(project, file), 'utf8');
