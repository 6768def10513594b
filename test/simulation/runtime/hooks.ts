import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { SourceChange } from '../mutants.ts';

const standIns: Readonly<Record<string, string>> = {
  uuidv7: './ids.ts',
  'node:timers/promises': './timers-promises.ts',
  'node:crypto': './crypto.ts',
};

const root = new URL('../../../', import.meta.url);

/**
 * Gives the simulated modules their stand-ins for what is chance or time, and changes the source of those in which a bug is
 * planted. Call it before any of them is imported.
 */
export function hookModules(changes: readonly SourceChange[]): void {
  const bySource = Map.groupBy(changes, ({ file }) => new URL(file, root).href);
  registerHooks({
    resolve(specifier, context, next) {
      const standIn = isSimulated(context.parentURL) ? standIns[specifier] : undefined;
      return standIn === undefined
        ? next(specifier, context)
        : { url: new URL(standIn, import.meta.url).href, shortCircuit: true };
    },
    load(url, context, next) {
      const planted = bySource.get(url);
      if (!planted) return next(url, context);
      const source = planted.reduce(plant, readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

/** Services and libraries are simulated. Files below test/ use the real clock, where they use one. */
function isSimulated(parent: string | undefined): boolean {
  return parent !== undefined && /\/(libs|services)\//.test(parent) && !parent.includes('/node_modules/');
}

function plant(source: string, { file, from, to }: SourceChange): string {
  if (source.split(from).length !== 2)
    throw new Error(`${file} does not have this text exactly once: ${from}`);
  return source.replace(from, () => to);
}
