import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type {
  BrowserName,
  CompatData,
  CompatStatement,
  Identifier,
  SimpleSupportStatement,
  SupportStatement,
} from '@mdn/browser-compat-data';

export type { BrowserName, CompatStatement, Identifier };

/** MDN's tables of what each version of each browser has. */
export const bcd = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'),
) as CompatData;

/** A feature of the tables, by its path, such as `javascript.builtins.Array.toSorted`. */
export type Feature = { readonly path: string; readonly compat: CompatStatement };

/** Returns the part of a path's branch that has this name; names such as `constructor` are no part unless the tables have them. */
export const childOf = (branch: Identifier | undefined, name: string): Identifier | undefined =>
  branch !== undefined && Object.hasOwn(branch, name) ? branch[name] : undefined;

/** Returns the branch at a path, such as `css.properties.inset`. */
export const findBranch = (path: string): Identifier | undefined =>
  path.split('.').reduce<Identifier | undefined>(childOf, bcd as unknown as Identifier);

/** Returns the feature at a path; throws when the tables have none, since a path in our lists must stay one. */
export function findFeature(path: string): Feature {
  const compat = findBranch(path)?.__compat;
  if (!compat) throw new Error(`MDN's tables have no feature ${path}`);
  return { path, compat };
}

/** Calls back for each feature below a path, with the name that it has there. */
export function walkFeatures(path: string, visit: (feature: Feature, name: string) => void): void {
  for (const [name, branch] of Object.entries(
    (findBranch(path) ?? {}) as Readonly<Record<string, Identifier>>,
  )) {
    if (name === '__compat') continue;
    const at = `${path}.${name}`;
    if (branch.__compat) visit({ path: at, compat: branch.__compat }, name);
    walkFeatures(at, visit);
  }
}

/** Returns whether this version has the feature, under its own name and without a setting. */
export const isSupported = (compat: CompatStatement, browser: BrowserName, version: string): boolean =>
  listStatements(compat.support[browser]).some(
    (each) =>
      each.flags === undefined &&
      each.prefix === undefined &&
      each.alternative_name === undefined &&
      isBetween(each, version),
  );

/** Returns since when a browser has a feature, for a message; `undefined` when it never had it. */
export function findFirst(compat: CompatStatement, browser: BrowserName): string | undefined {
  const found = listStatements(compat.support[browser]).find(
    (each) => !each.flags && !each.prefix && !each.alternative_name && isVersion(each.version_added),
  );
  return found?.version_added === false ? undefined : found?.version_added;
}

/** A browser of which the tables say nothing counts as one that has the feature: they cover every engine's main browsers. */
function listStatements(support: SupportStatement | undefined): readonly SimpleSupportStatement[] {
  if (support === undefined) return [{ version_added: '1' }];
  return Array.isArray(support) ? support : [support];
}

const isBetween = (each: SimpleSupportStatement, version: string): boolean =>
  isVersion(each.version_added) &&
  compareVersions(each.version_added, version) <= 0 &&
  !(isVersion(each.version_removed) && compareVersions(each.version_removed, version) <= 0);

const isVersion = (value: unknown): value is string => typeof value === 'string' && value !== 'preview';

function compareVersions(a: string, b: string): number {
  const [aMajor = 0, aMinor = 0] = a.replace('≤', '').split('.').map(Number);
  const [bMajor = 0, bMinor = 0] = b.replace('≤', '').split('.').map(Number);
  return aMajor - bMajor || aMinor - bMinor;
}
