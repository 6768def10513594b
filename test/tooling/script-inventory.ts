import { findManifest, pspCodes } from '@gp/gateway-registry';

type Row = readonly [script: string, from: string, why: string, authorised: string, integrity: string];

const HEAD: Row = ['script', 'from', 'why', 'authorised by', 'integrity'];
const OURS: readonly Row[] = [
  [
    'the page and its parts',
    '`/assets/` of the checkout host',
    'the page itself',
    'a nonce for each response, and folder',
    'built with the image; file names carry hashes',
  ],
];
const WIDGET: Row = [
  "widget loader on the merchant's page",
  'the checkout host',
  'opens the frame',
  'the merchant',
  'pinned versions with `integrity` in its manifest',
];

/** Returns the scripts of payment pages in live mode as a table: ours, and each gateway's as its manifest names it. */
export function renderScriptInventory(): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...OURS, ...pspCodes.flatMap(listVendorScripts), WIDGET];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A gateway whose page is the bank's has no script on ours. */
function listVendorScripts(code: (typeof pspCodes)[number]): Row[] {
  const { page, vendor } = findManifest(code);
  if (!page.library) return [];
  const others = page.library.origins.live.map((origin) => `\`${origin}\``).join(', ');
  return [
    [
      `library for ${vendor}, ${code} only`,
      `\`${page.library.script.live}\`; it reaches ${others}`,
      'the card field and what the vendor asks of the payer',
      "the gateway's manifest",
      'none: the vendor serves a moving version',
    ],
  ];
}
