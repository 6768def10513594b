import { join } from 'node:path';
import type { Generated } from '@gp/testing';
import { format, resolveConfig } from 'prettier';
import { readCoverage, renderCoverage } from './coverage-map.ts';
import { project, readProjectFile } from './project-files.ts';
import { renderScriptInventory } from './script-inventory.ts';

/** The map of guarantees and tests, written from the tests' titles; and the inventory of scripts, from the manifests. */
export async function describeGenerated(): Promise<Generated> {
  return {
    folder: project,
    files: {
      'test/coverage.md': await renderCoverage(await readCoverage()),
      'docs/pci-scope.md': await writeInventory(),
    },
  };
}

async function writeInventory(): Promise<string> {
  const text = await readProjectFile('docs/pci-scope.md');
  const place = /<!-- scripts -->[^]*<!-- \/scripts -->/;
  if (!place.test(text)) throw new Error('docs/pci-scope.md has no place for the scripts');
  const part = `<!-- scripts -->\n\n${renderScriptInventory()}\n\n<!-- /scripts -->`;
  const style = await resolveConfig('README.md', { config: join(project, '.configs/prettier.json') });
  return format(
    text.replace(place, () => part),
    { ...style, parser: 'markdown' },
  );
}
