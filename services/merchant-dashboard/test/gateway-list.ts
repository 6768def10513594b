import { resolve } from 'node:path';
import { findManifest, pspCodes, type PspCode, type TestCards } from '@gp/gateway-registry';
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

function listCards() {
  const sets: { codes: PspCode[]; cards: TestCards }[] = [];
  for (const code of pspCodes) {
    const { testCards: cards } = findManifest(code);
    const known = sets.find((set) => JSON.stringify(set.cards) === JSON.stringify(cards));
    if (known) known.codes.push(code);
    else sets.push({ codes: [code], cards });
  }
  const and = new Intl.ListFormat('en');
  return sets.map(({ codes, cards }) => ({ gateways: and.format(codes), ...cards }));
}
