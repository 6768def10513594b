/** Specmatic's findings, sorted by meaning. */
export type Verdict = {
  readonly tests: number;
  /** Requests that the document forbids, each refused as it says. */
  readonly refused: number;
  /** Requests right by their schema that a rule beyond schemas refused, as the document says too. */
  readonly ruledOut: number;
  /** All other failures. */
  readonly failures: readonly string[];
};

const CASE = /<testcase [^>]*name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g;
/** Amounts that do not add up, a currency of random letters, a slot that is taken, a key used before. */
const BY_RULE = /expected status 20\d but response contained status (?:400|409|422)\b/;
const FOUND = /\bR\d{4}: /g;

/**
 * Reads a JUnit report. Where Specmatic varies the fields of a right request it wants success for each variation; it
 * does not know the rules between fields. So a varied request may be refused by rule, where that is all there is to
 * complain of.
 */
export function parseVerdict(report: string, o: { isVaried: boolean }): Verdict {
  const cases = [...report.matchAll(CASE)].map(([, name = '', body = '']) => ({ name: plain(name), body }));
  const failed = cases.filter(({ body }) => body.includes('<failure') || body.includes('<error'));
  const isByRule = ({ name, body }: (typeof cases)[number]) =>
    o.isVaried && name.includes('+ve') && BY_RULE.test(body) && complaints(body) === 1;
  const refused = cases.filter((tested) => tested.name.includes('-ve') && !failed.includes(tested));
  const failures = failed.filter((tested) => !isByRule(tested));
  return {
    tests: cases.length,
    refused: refused.length,
    ruledOut: failed.length - failures.length,
    failures: failures.map(({ name, body }) => `${name}\n${parseReason(body)}`),
  };
}

/** The report repeats each complaint: in an attribute and in a text. */
const complaints = (body: string): number => (parseText(body).match(FOUND) ?? []).length;

const parseText = (body: string): string => plain(/<!\[CDATA\[([\s\S]*?)\]\]>/.exec(body)?.[1] ?? body);

const parseReason = (body: string): string =>
  parseText(body)
    .split('\n')
    .filter((line) => !/^\s*at |^\s*$/.test(line))
    .slice(0, 30)
    .join('\n');

const plain = (text: string): string =>
  text
    .replace(/^.*contractTest\(\) &gt; /, '')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
