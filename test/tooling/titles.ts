/** The title of a test, or of the table of tests that begins here. */
const TITLE = /(?:\bit(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const TABLE = /\b(it|describe)(?:\.\w+)*\.each\b/g;

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Words with which a sentence lacks its subject. Verbs that are plural nouns, too, such as `holds`, are left out. */
const FRAGMENTS = new Set([
  ...words('of that whose who whom what which because and but or nor'),
  ...words(
    'is are was were has have had does do did may might can cannot could must should will would never',
  ),
  ...words(`accepts acts adds admits allows announces appears applies arrives asks becomes begins believes belongs
    blocks brings builds cancels carries chooses closes comes compares completes concerns contains continues covers
    deletes delivers derives describes detects differs disappears discards discloses drops expires explains
    exports fails finds finishes follows forbids forgets gets gives goes grows handles hides ignores includes infers
    inserts joins keeps knows lasts leads leaves lets loses makes means moves notifies opens owns pays prefers prepares
    proves publishes puts raises reaches receives recognises recovers refuses rejects remembers removes renders repeats
    replaces requires resends reserves resolves respects restarts returns reuses says searches sees sends serves sets
    skips sorts stands starts stays stops succeeds survives takes tells throws treats tries turns understands uses
    verifies waits writes`),
  ...words(
    'begin bring come find get give go keep know lead leave let lose make refuse return say send show stay take',
  ),
]);
const CASE_FIRST = /^[A-Z]\d{1,3} /;
const STATUS_FIRST = /^\d{3}(?!\d)\b(?![,.]\d)/;

/**
 * Lists the titles of `it` that do not read alone: they begin with a verb, a relative word, a status or a case code. A
 * title that begins with a value of its table, such as `%s`, is not judged.
 */
export const listFragments = (text: string): readonly string[] =>
  [...text.matchAll(TITLE)]
    .filter(({ index, 0: match }) => match.startsWith('it') || tableBefore(text, index) === 'it')
    .map(([, , title = '']) => title)
    .filter(isFragment);

const isFragment = (title: string): boolean =>
  CASE_FIRST.test(title) ||
  STATUS_FIRST.test(title) ||
  FRAGMENTS.has(/^[a-z]+(?=[ ,:]|$)/.exec(title)?.[0] ?? '');

/** Returns whether the table that ends here is one of tests or of blocks. */
const tableBefore = (text: string, index: number): string | undefined =>
  [...text.slice(0, index).matchAll(TABLE)].at(-1)?.[1];
