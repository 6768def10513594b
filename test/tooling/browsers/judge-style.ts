import postcss, { type AtRule, type Declaration, type Node, type Rule } from 'postcss';
import { findBranch, findFeature, walkFeatures, type Feature } from './compat-data.ts';
import { isInEveryEngine, listMissing, type Finding } from './judge.ts';
import type { Audience } from './promise.ts';

/** Functions and units in values whose names in MDN's tables are not their own. */
const FUNCTIONS: ReadonlyMap<string, string> = indexTypes();
const UNITS: Readonly<Record<string, string>> = {
  ...nameUnits('d', 'dynamic'),
  ...nameUnits('s', 'small'),
  ...nameUnits('l', 'large'),
  ...Object.fromEntries(
    ['cqw', 'cqh', 'cqi', 'cqb', 'cqmin', 'cqmax'].map((unit) => [unit, 'container_query_length_units']),
  ),
  ...Object.fromEntries(['lh', 'rlh', 'cap', 'rcap', 'ic', 'ric', 'rex', 'rch'].map((unit) => [unit, unit])),
};

/** Returns what a style sheet uses and a promised browser has not; what `@supports` asks for is used only by those that have it. */
export function judgeStyle(file: string, css: string, audience: Audience): readonly Finding[] {
  const found = new Map<string, Finding>();
  postcss.parse(css).walk((node) => {
    const paths =
      node.type === 'atrule'
        ? listOfAtRule(node)
        : node.type === 'rule'
          ? listOfRule(node)
          : node.type === 'decl'
            ? listOfDeclaration(node)
            : [];
    const asked = listAsked(node);
    for (const { path, compat } of paths.map(findFeature)) {
      const missing = listMissing(compat, audience);
      if (missing.length === 0 || asked.includes(path.split('.').at(-1) ?? '')) continue;
      // A declaration that some engine has never known is left out by it alone; a selector takes its whole rule with it.
      if (node.type === 'decl' && !isInEveryEngine(compat)) continue;
      const selector = node.type === 'rule' ? { selector: node.selector } : {};
      found.set(`${path} ${selector.selector}`, { file, feature: path, ...selector, missing });
    }
  });
  return [...found.values()];
}

/** The words in the conditions of the `@supports` blocks around a node. */
function listAsked(node: Node): readonly string[] {
  const words: string[] = [];
  for (let at: Node | undefined = node.parent; at; at = at.parent)
    if (isAtRule(at) && at.name === 'supports') words.push(...at.params.split(/[^\w-]+/));
  return words;
}

const isAtRule = (node: Node): node is AtRule => node.type === 'atrule';

/** Returns those of the paths that MDN's tables have: not every name is a feature of the web, and a prefix is for one engine. */
const listKnown = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !/\.-/.test(path) && findBranch(path)?.__compat !== undefined);

function listOfAtRule({ name, params }: AtRule): readonly string[] {
  const paths = [`css.at-rules.${name}`];
  if (name !== 'media') return listKnown(paths);
  const features = [...params.matchAll(/\(\s*([a-z-]+)/g)].map(([, feature = '']) => feature);
  if (/[<>]/.test(params)) paths.push('css.at-rules.media.range_syntax');
  return listKnown([
    ...paths,
    ...features.map((feature) => `css.at-rules.media.${feature.replace(/^(min|max)-/, '')}`),
  ]);
}

function listOfRule({ selector, parent }: Rule): readonly string[] {
  const isNested = parent?.type === 'rule' || selector.includes('&');
  const pseudos = [...selector.matchAll(/::?([a-z-]+)/g)].map(([, name = '']) => `css.selectors.${name}`);
  return listKnown([...pseudos, ...(isNested ? ['css.selectors.nesting'] : [])]);
}

function listOfDeclaration({ prop, value }: Declaration): readonly string[] {
  const property = `css.properties.${prop}`;
  const text = value.replaceAll(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '');
  const words = [...text.matchAll(/(?<![\w-#.])[a-z][a-z-]*(?![\w-]*\()/gi)].map(([word]) => word);
  const functions = [...text.matchAll(/([a-z][a-z-]*)\(/gi)].map(([, name = '']) => name);
  const units = [...text.matchAll(/[\d.]([a-z]+)\b/gi)].map(([, unit = '']) => unit);
  return [
    ...listKnown([property, ...words.map((word) => `${property}.${word}`)]),
    ...functions.flatMap((name) => FUNCTIONS.get(name) ?? []),
    ...units.flatMap((unit) => (UNITS[unit] === undefined ? [] : [`css.types.length.${UNITS[unit]}`])),
  ];
}

/** Functions by name: each is a type of its own, such as `clamp`, or below one, such as `color-mix` below `color`. */
function indexTypes(): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  walkFeatures('css.types', ({ path }: Feature, name) => {
    if (path.split('.').length <= 4 && !index.has(name)) index.set(name, path);
  });
  return index;
}

function nameUnits(prefix: string, kind: string): Record<string, string> {
  const units = ['vw', 'vh', 'vi', 'vb', 'vmin', 'vmax'].map((unit) => prefix + unit);
  return Object.fromEntries(units.map((unit) => [unit, `viewport_percentage_units_${kind}`]));
}
