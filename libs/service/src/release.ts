import { readFileSync } from 'node:fs';

/** Returns the release that this is, for example `1.2.3`; every workspace has its number. */
export function readRelease(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
