import { findManifest, pspCodes, type PspCode, type TestCards } from '@gp/gateway-registry';

/** Renders the test cards of every gateway as Markdown: a table for each set of cards, then the notes. */
export function renderTestCards(): string {
  const byCards = Map.groupBy(pspCodes, (code) => findManifest(code).testCards.approved);
  return [...byCards.values()].map(renderGateways).join('\n\n');
}

/** One table for gateways that share their cards, with the notes of each. */
function renderGateways(codes: readonly PspCode[]): string {
  const [first] = codes;
  if (first === undefined) return '';
  const rows = groupNumbers(findManifest(first).testCards).map(
    ([outcome, numbers]) => `| ${numbers.map((number) => `\`${number}\``).join(', ')} | ${outcome} |`,
  );
  const notes = [...Map.groupBy(codes.flatMap(listNotes), ([, note]) => note)].map(
    ([note, told]) =>
      `- ${told.length === codes.length ? '' : `${told.map(([code]) => code).join(', ')}: `}${note}`,
  );
  return [`| card | ${codes.join(' and ')} |`, '| --- | --- |', ...rows, '', ...notes].join('\n');
}

const listNotes = (code: PspCode): (readonly [PspCode, string])[] =>
  findManifest(code).testCards.notes.map((note) => [code, note] as const);

/** Groups the numbers of cards with the same behaviour, by its text. */
function groupNumbers({ approved, challenged, declined }: TestCards): [outcome: string, numbers: string[]][] {
  const groups = Map.groupBy([...approved, ...challenged, ...declined], ({ outcome }) => outcome);
  return [...groups].map(([outcome, cards]) => [outcome, cards.map(({ number }) => number)]);
}
