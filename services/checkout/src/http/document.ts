import {
  BOOTSTRAP_ID,
  OWN_SENTENCES_ID,
  ROOT_ID,
  SENTENCES_ID,
  type Bootstrap,
  type Drawn,
  type Locale,
  type OrganiserBootstrap,
} from '@gp/checkout-web/bootstrap';
import { accentProperties } from '@gp/primitives';
import type { Loads } from '../app/pages.ts';

export type Document = {
  readonly locale: Locale;
  readonly drawn: Drawn;
  /** Without it the page has no script of its own. */
  readonly loads: Loads;
  readonly isStatic?: boolean;
  /** False where the page's script writes no sentences. */
  readonly hasSentences?: boolean;
  /** What runs before anything is drawn; no script at all runs where `isStatic`. */
  readonly firstScript?: keyof typeof FIRST_SCRIPTS;
  readonly bootstrap?: Bootstrap | OrganiserBootstrap;
  /** The merchant's colour where there is no bootstrap. */
  readonly brandColor?: string | null;
  readonly nonce: string;
};

/** Returns the HTML of a page. All user input is escaped as text, and data is never executed as a script. */
export function renderDocument({
  locale,
  drawn,
  loads,
  isStatic = false,
  hasSentences = true,
  firstScript = 'checkBrowser',
  bootstrap,
  brandColor = bootstrap?.brand_color,
  nonce,
}: Document): string {
  const own = ` nonce="${nonce}"`;
  const isChecked = !isStatic && firstScript === 'checkBrowser';
  const lines = [
    '<!doctype html>',
    `<html lang="${locale}" dir="${drawn.dir}"${isChecked ? ' class="plain"' : ''}>`,
    '<head>',
    '<meta charset="utf-8">',
    ...(isStatic ? [] : [`<script${own}>${FIRST_SCRIPTS[firstScript]}</script>`]),
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="robots" content="noindex, nofollow">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">',
    `<title>${text(drawn.title)}</title>`,
    ...preview(drawn, bootstrap),
    '<link rel="icon" href="data:,">',
    ...loads.styles.map((href) => `<link rel="stylesheet" href="${text(href)}"${own}>`),
    ...accent(brandColor, own),
    ...(isStatic ? [] : scripts(loads, own, hasSentences)),
    '</head>',
    '<body>',
    `<div id="${ROOT_ID}">${drawn.html}</div>`,
    ...(bootstrap
      ? [`<script type="application/json" id="${BOOTSTRAP_ID}"${own}>${data(bootstrap)}</script>`]
      : []),
    '</body>',
    '</html>',
  ];
  return lines.join('\n');
}

/** The scripts of which one runs in every browser before anything is drawn. */
const FIRST_SCRIPTS = {
  /**
   * For pages that need their module. Where it cannot run, since the browser is older than docs/browsers.md promises or runs
   * no scripts, the class stays, and the styles show how to go on. Of what the promised browsers have, the checked function
   * came last.
   */
  checkBrowser: "if(Object.hasOwn)document.documentElement.className=''",
  /** For pages that are whole without a module: keeps the places of the buttons to share and to copy, which it will show. */
  keepPlaces:
    "document.documentElement.className=('share'in navigator?'can-share ':'')+('clipboard'in navigator?'can-copy':'')",
} as const;

/** The colours of the merchant, after the sheets that have ours. */
function accent(brandColor: string | null | undefined, own: string): string[] {
  const rules = Object.entries(accentProperties(brandColor)).map(([name, value]) => `${name}:${value}`);
  return rules.length === 0 ? [] : [`<style${own}>:root{${rules.join(';')}}</style>`];
}

/** What a chat or mail program shows of a link. */
function preview({ title, description }: Drawn, bootstrap: Document['bootstrap']): string[] {
  if (description === undefined) return [];
  const content = `content="${text(description)}">`;
  return [
    `<meta name="description" ${content}`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${text(title)}">`,
    `<meta property="og:description" ${content}`,
    ...(bootstrap === undefined || bootstrap.kind === 'organiser' ? [] : previewPicture(bootstrap)),
  ];
}

/** The merchant's logo beside it: a small picture, which is not stretched over the width of the card. */
function previewPicture({ logo, payee, checkout_url }: Bootstrap): string[] {
  if (!logo) return [];
  return [
    `<meta property="og:image" content="${text(`${checkout_url}${logo.src}`)}">`,
    `<meta property="og:image:width" content="${logo.width}">`,
    `<meta property="og:image:height" content="${logo.height}">`,
    ...(payee ? [`<meta property="og:image:alt" content="${text(payee)}">`] : []),
    '<meta name="twitter:card" content="summary">',
  ];
}

function scripts(loads: Loads, own: string, hasSentences: boolean): string[] {
  return [
    ...(hasSentences ? sentences(loads, own) : []),
    ...loads.preloads.map((href) => preload(href, own)),
    `<script type="module" src="${text(loads.script)}"${own}></script>`,
  ];
}

/** The modules with the page's sentences. The payers' page fetches the later ones by itself, the organiser's has them at once. */
function sentences({ sentences: first, laterSentences: later, ownSentences }: Loads, own: string): string[] {
  return [
    preload(first, ` id="${SENTENCES_ID}" data-later="${text(later)}"${own}`),
    ...(ownSentences === undefined
      ? []
      : [preload(later, own), preload(ownSentences, ` id="${OWN_SENTENCES_ID}"${own}`)]),
  ];
}

const preload = (href: string, attributes: string): string =>
  `<link rel="modulepreload" href="${text(href)}"${attributes}>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** Returns JSON that can neither end the element it stands in nor begin a comment. */
const data = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
