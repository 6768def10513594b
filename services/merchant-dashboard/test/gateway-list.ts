import { resolve } from 'node:path';
import { findManifest, pspCodes, type PspCode, type TestCard } from '@gp/gateway-registry';
import { format, resolveConfig } from 'prettier';

const style = resolve(import.meta.dirname, '../../../.configs/prettier.json');

/** Returns the source of `web/src/gateways.ts`: what the pages show of each gateway, without the schemas of the manifests. */
export async function writeGatewayList(): Promise<string> {
  const source = `// Written by \`npm run generate\` from the registry of gateways.
import type { Cards, GatewayKind } from './gateway-kind.ts';

/** The gateways one can connect. */
export const GATEWAYS: readonly GatewayKind[] = ${JSON.stringify(pspCodes.map(describeGateway))};

/** The sandbox's test cards; gateways with the same cards share an entry. */
export const CARDS: readonly Cards[] = ${JSON.stringify(listCards())};
`;
  return format(source, { ...(await resolveConfig('gateways.ts', { config: style })), parser: 'typescript' });
}

function describeGateway(psp: PspCode) {
  const { title: name, about, credentials } = findManifest(psp);
  const fields = credentials.map(({ name, label, isSecret }) => ({ name, label, isSecret }));
  return { psp, name, about, fields };
}

/** One entry for gateways that share their cards; a note that not all of them have begins with the code it is for. */
function listCards() {
  const and = new Intl.ListFormat('en');
  const groups = Map.groupBy(pspCodes, (code) => findManifest(code).testCards.approved);
  return [...groups.values()].map((codes) => {
    const { approved, challenged, declined } = findManifest(codes[0] as PspCode).testCards;
    return {
      gateways: and.format(codes),
      approved: approved.map(toCard),
      challenged: challenged.map(toCard),
      declined: declined.map(toCard),
      notes: listNotes(codes),
    };
  });
}

const toCard = ({ number, outcome }: TestCard) => ({ number, outcome });

function listNotes(codes: readonly PspCode[]): string[] {
  const notes = codes.flatMap((code) => findManifest(code).testCards.notes.map((note) => ({ code, note })));
  return [...Map.groupBy(notes, ({ note }) => note)].map(([note, from]) =>
    from.length === codes.length ? note : `${from.map(({ code }) => code).join(', ')}: ${note}`,
  );
}
