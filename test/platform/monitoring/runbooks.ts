import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.ts';
import { repository } from './repository.ts';

/** Why a link to a runbook leads nowhere; undefined when its heading is there and something stands below it. */
export function faultOfRunbook(url: string): string | undefined {
  if (!url.startsWith(`${repository}/`)) return `${url} is not in the repository`;
  const [file = '', anchor = ''] = url.slice(repository.length + 1).split('#');
  const path = join(root, file);
  if (!existsSync(path)) return `${file} does not exist`;
  const sections = readFileSync(path, 'utf8').split(/^#+ /m);
  const found = sections.find((section) => buildAnchor(section.split('\n')[0] ?? '') === anchor);
  if (found === undefined) return `${file} has no heading for #${anchor}`;
  return found.split('\n').slice(1).join('').trim() === '' ? `#${anchor} of ${file} is empty` : undefined;
}

/** The anchor that GitHub gives a heading. */
function buildAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
