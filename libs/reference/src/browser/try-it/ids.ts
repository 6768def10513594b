import type { FillIn } from './fields.ts';

/** From `id-sources.ts`; what serves the page writes them in front of this. */
declare const ID_SOURCES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
declare const PATH_IDS: Readonly<Record<string, Readonly<Record<string, string>>>>;
declare const IDS_IN_EXAMPLES: Readonly<Record<string, string>>;

const known = new Map<string, string>();
const followers = new Set<() => void>();

/** Remembers ids of answers, so that the next form has them instead of those of the examples. */
function learn(operation: string, body: unknown): void {
  for (const [name, way] of Object.entries(ID_SOURCES[operation] ?? {})) {
    let found = body;
    for (const step of way)
      found =
        typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[step] : undefined;
    if (typeof found === 'string') known.set(name, found);
  }
  for (const follow of followers) follow();
}

const fillIn: FillIn = {
  follow: (follow) => void followers.add(follow),
  pathId: ({ id }, parameter) => known.get(PATH_IDS[id]?.[parameter] ?? ''),
  body: (text) =>
    Object.entries(IDS_IN_EXAMPLES).reduce(
      (filled, [example, name]) => filled.replaceAll(example, known.get(name) ?? example),
      text,
    ),
};

export const ids = { learn, fillIn };
