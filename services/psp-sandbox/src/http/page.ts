import { randomBytes } from 'node:crypto';
import type { HttpResponse } from '@gp/http';
import { html, Html } from './html.ts';

export type PageOptions = {
  readonly title: string;
  readonly main: Html;
  /** The path of a module that the page runs, such as `/assets/browser/challenge-page.ts`. */
  readonly script?: string;
  /** Whether other pages may show it in a frame; by default none may. */
  readonly isFramed?: boolean;
  readonly isWide?: boolean;
};

/**
 * Builds a page for people. Its policy lets it load its own style sheet and script and nothing else. The targets
 * of its form are not restricted: Chromium applies such a rule to every redirect that follows, and only the shop
 * knows where those lead.
 */
export function page(
  status: number,
  { title, main, script, isFramed = false, isWide = false }: PageOptions,
): HttpResponse {
  const nonce = randomBytes(16).toString('base64');
  const body = html`<body class="page">
    <main aria-label="${title}">
      <p class="notice">Test bank. No real money moves here: use test cards only.</p>
      <div class="sheet${isWide ? ' wide' : ''}">${main}</div>
    </main>
  </body>`;
  return document(status, title, nonce, body, script, isFramed);
}

/** Builds a page that is only shown in a frame of another one: a form that its script fills. */
export function framePage(title: string, script: string): HttpResponse {
  const nonce = randomBytes(16).toString('base64');
  return document(
    200,
    title,
    nonce,
    html`<body class="frame">
      <form autocomplete="on" novalidate></form>
    </body>`,
    script,
    true,
  );
}

function document(
  status: number,
  title: string,
  nonce: string,
  body: Html,
  script: string | undefined,
  isFramed: boolean,
): HttpResponse {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    // In the widget the parent page is itself in a merchant's page, so their origins are not known in advance.
    `frame-ancestors ${isFramed ? 'http: https:' : "'none'"}`,
  ];
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
    body: String(
      html`<!doctype html>
        <html lang="en">
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/assets/browser/page.css" nonce="${nonce}" />
          ${script ? moduleScript(script, nonce) : ''} ${body}
        </html> `,
    ),
  };
}

/**
 * Modules of a gateway import the shared ones by the name used in the source; the map resolves it in a browser.
 */
const IMPORTS = new Html('{"imports":{"@gp/psp-sandbox/browser":"/assets/browser/kit.ts"}}');

const moduleScript = (path: string, nonce: string): Html =>
  html`<script type="importmap" nonce="${nonce}">
      ${IMPORTS}
    </script>
    <script type="module" src="${path}" nonce="${nonce}"></script>`;
