import { randomBytes } from 'node:crypto';
import { createIdentity, createOperatorKey, openOperatorSigner, readPublicKey } from '@gp/bus';

/**
 * What each key of each secret is made of, by the names of secrets and keys: `key` (32 random bytes in base64), `password`,
 * `seed` (of a NATS user), `public-key:<secret>/<key>` (of the seed there), `operator-key` (the private half of one),
 * `first-operator:<secret>/<key>` (the setting that names the public half of the key there), or a text in which `{key}`
 * stands for another key of the same secret and `{secret/key}` for a key of another one.
 */
export type SecretsPlan = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The values of secrets by their names. */
export type SecretValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

const RANDOM: Readonly<Record<string, () => string>> = {
  key: () => randomBytes(32).toString('base64'),
  password: () => randomBytes(24).toString('hex'),
  seed: () => createIdentity().seed,
  'operator-key': () => createOperatorKey().seed,
};
const isRandom = (recipe: string): boolean => Object.hasOwn(RANDOM, recipe);
/** What is made of the private half of a key: of which kind it is, and how. */
const PUBLIC: Readonly<Record<string, { readonly of: string; readonly make: (seed: string) => string }>> = {
  'public-key': { of: 'seed', make: readPublicKey },
  'first-operator': { of: 'operator-key', make: (seed) => `local:${openOperatorSigner(seed).key}` },
};
const PUBLIC_RECIPE = /^(public-key|first-operator):([^/]+)\/(.+)$/;
const PLACE = /\{([^{}]+)\}/g;
const ELSEWHERE = /^([^/]+)\/(.+)$/;

/** Returns what is wrong with a plan in JSON, as sentences; nothing when it can be carried out. */
export function listPlanFaults(json: string): string[] {
  const plan = parseJson(json);
  if (!isTree(plan)) return ['PLAN must be an object of objects of texts, in JSON'];
  return Object.entries(plan).flatMap(([secret, keys]) =>
    Object.entries(keys).flatMap(([key, recipe]) =>
      isKnown(plan, secret, recipe) ? [] : [`PLAN: ${secret}/${key} is made in no known way`],
    ),
  );
}

/** Reads a plan that `listPlanFaults` found nothing wrong with. */
export function parsePlan(json: string): SecretsPlan {
  return JSON.parse(json) as SecretsPlan;
}

/**
 * Returns the keys to write, by secret: those that are missing, and those that are made of others and no longer fit them. A
 * random key that is there is never replaced.
 */
export function listMissingKeys(plan: SecretsPlan, present: SecretValues): SecretValues {
  const known = mapKeys(plan, (recipe, secret, key) =>
    isRandom(recipe) ? (present[secret]?.[key] ?? RANDOM[recipe]?.()) : undefined,
  );
  const whole = mapKeys(plan, (recipe, secret, key) =>
    isRandom(recipe) ? known[secret]?.[key] : derive(recipe, secret, known),
  );
  const isNew = (secret: string, key: string) => whole[secret]?.[key] !== present[secret]?.[key];
  const missing = mapKeys(plan, (_recipe, secret, key) =>
    isNew(secret, key) ? whole[secret]?.[key] : undefined,
  );
  return Object.fromEntries(Object.entries(missing).filter(([, keys]) => Object.keys(keys).length > 0));
}

function derive(recipe: string, secret: string, known: SecretValues): string {
  const [, kind = '', other = '', key = ''] = PUBLIC_RECIPE.exec(recipe) ?? [];
  const half = PUBLIC[kind];
  if (half) return half.make(known[other]?.[key] ?? '');
  return recipe.replace(PLACE, (_place, name: string) => findAt(known, secret, name) ?? '');
}

/** Returns the entry that a place of a text names: a key of the same secret, or of another one. */
function findAt(tree: SecretValues, secret: string, name: string): string | undefined {
  const [, other = secret, key = name] = ELSEWHERE.exec(name) ?? [];
  return tree[other]?.[key];
}

function mapKeys(
  plan: SecretsPlan,
  make: (recipe: string, secret: string, key: string) => string | undefined,
): SecretValues {
  const entries = Object.entries(plan).map(([secret, keys]) => {
    const made = Object.entries(keys).map(([key, recipe]) => [key, make(recipe, secret, key)] as const);
    return [secret, Object.fromEntries(made.filter(([, value]) => value !== undefined))] as const;
  });
  return Object.fromEntries(entries) as SecretValues;
}

function isKnown(plan: SecretsPlan, secret: string, recipe: string): boolean {
  if (isRandom(recipe)) return true;
  const [, kind = '', other = '', key = ''] = PUBLIC_RECIPE.exec(recipe) ?? [];
  const half = PUBLIC[kind];
  if (half) return plan[other]?.[key] === half.of;
  const places = [...recipe.matchAll(PLACE)].map(([, name = '']) => name);
  return places.length > 0 && places.every((name) => isRandom(findAt(plan, secret, name) ?? ''));
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isTree(value: unknown): value is SecretsPlan {
  const isObject = (one: unknown): one is object =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  return (
    isObject(value) &&
    Object.values(value).every(
      (keys) => isObject(keys) && Object.values(keys).every((recipe) => typeof recipe === 'string'),
    )
  );
}
