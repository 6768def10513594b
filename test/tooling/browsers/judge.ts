import {
  findBranch,
  findFirst,
  isSupported,
  walkFeatures,
  type BrowserName,
  type CompatStatement,
  type Feature,
} from './compat-data.ts';
import { listPromised, nameBrowser, type Audience } from './promise.ts';

/** Something that a file uses and a promised browser has not. */
export type Finding = {
  readonly file: string;
  /** The path in MDN's tables, such as `css.selectors.has`, or what the parser refused. */
  readonly feature: string;
  /** The selector in which a style sheet uses it. */
  readonly selector?: string;
  /** The promised browsers without it, each with the version that has it. */
  readonly missing: readonly string[];
};

/** Returns the promised browsers that have not the feature, such as `Firefox 93 (since 121)`. */
export const listMissing = (compat: CompatStatement, audience: Audience): readonly string[] =>
  listPromised(audience)
    .filter(({ browser, version }) => !isSupported(compat, browser, version))
    .map((promised) => {
      const first = findFirst(compat, promised.browser);
      return `${nameBrowser(promised)} (${first === undefined ? 'in no version' : `since ${first}`})`;
    });

/** Features by the name under which code refers to them. */
export type NameIndex = ReadonlyMap<string, readonly Feature[]>;

/** Members, attributes and options of every interface, builtin and element, by their names. */
export const memberNames: NameIndex = indexNames(
  ['javascript.builtins', 'api', 'html.elements', 'html.global_attributes'],
  (name) => /^options_(\w+)_parameter$/.exec(name)?.[1] ?? name.replace(/_static$/, ''),
);

/** Events by their names. */
export const eventNames: NameIndex = indexNames(['api'], (name) => /^(\w+)_event$/.exec(name)?.[1]);

function indexNames(paths: readonly string[], readName: (name: string) => string | undefined): NameIndex {
  const index = new Map<string, Feature[]>();
  for (const path of paths)
    walkFeatures(path, (feature, raw) => {
      const name = readName(raw);
      if (name === undefined || /_(event|parameter)$/.test(name)) return;
      index.set(name, [...(index.get(name) ?? []), feature]);
    });
  return index;
}

const known = new Map<string, Feature | undefined>();

/**
 * Returns the feature that a name stands for when every feature of that name is too new: the file alone does not say of
 * which type a value is, so a name that an old browser has somewhere passes. So does the name of something that some
 * engine has never had, such as `model`: it is much more often one of our own.
 */
export function findTooNew(index: NameIndex, name: string, audience: Audience): Feature | undefined {
  const features = index.get(name);
  if (features === undefined) return undefined;
  const key = `${audience} ${features[0]?.path}`;
  if (!known.has(key)) known.set(key, judgeName(features, audience));
  return known.get(key);
}

function judgeName(features: readonly Feature[], audience: Audience): Feature | undefined {
  if (!features.every(({ compat }) => listMissing(compat, audience).length > 0)) return undefined;
  return features.find((feature) => isInEveryEngine(feature.compat) && !isOfNewObject(feature, audience));
}

const ENGINES: readonly BrowserName[] = ['chrome', 'firefox', 'safari_ios'];

/** Returns whether some version of each engine has the feature. */
export const isInEveryEngine = (compat: CompatStatement): boolean =>
  ENGINES.every((browser) => findFirst(compat, browser) !== undefined);

/** Members of an object that is itself too new are reached by its name, which is judged. Iterators are made without it. */
function isOfNewObject({ path }: Feature, audience: Audience): boolean {
  const owner = path.split('.').slice(0, path.startsWith('api.') ? 2 : 3);
  const compat = findBranch(owner.join('.'))?.__compat;
  if (compat === undefined || /Iterator$/.test(owner.join('.')) || owner.join('.') === path) return false;
  return listMissing(compat, audience).length > 0;
}
