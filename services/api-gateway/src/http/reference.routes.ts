import { createHash } from 'node:crypto';
import { answerCompressed, compress, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import { collectionText, docsPage, docsTryItScript, openApiText, type Addresses } from '@gp/reference';

type File = {
  readonly contentType: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * The description of the interface, for programs and for readers, whose examples name these addresses and expire tomorrow,
 * so that they can be sent as they are. It is public, so no credential is required. The root tells where it is.
 */
export function referenceRoutes(addresses: Addresses, now: () => number = Date.now): Route[] {
  return [
    fileRoute('/openapi.json', now, async (nowMs) => ({
      contentType: 'application/json; charset=utf-8',
      text: await openApiText({ ...addresses, nowMs }),
      headers: { 'Access-Control-Allow-Origin': '*' },
    })),
    fileRoute('/docs', now, async (nowMs) => {
      const { html, contentSecurityPolicy } = await docsPage({ ...addresses, nowMs });
      return {
        contentType: 'text/html; charset=utf-8',
        text: html,
        headers: { 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' },
      };
    }),
    fileRoute('/docs/group-payments.postman_collection.json', now, async () => ({
      contentType: 'application/json; charset=utf-8',
      text: await collectionText(addresses),
      headers: { 'Access-Control-Allow-Origin': '*' },
    })),
    fileRoute('/docs/try-it.js', now, async () => ({
      contentType: 'text/javascript; charset=utf-8',
      text: await docsTryItScript(),
    })),
    redirectRoute('/docs/', '/docs'),
    {
      method: 'GET',
      path: '/',
      handle: () =>
        Promise.resolve({ status: 200, body: { reference: '/docs', description: '/openapi.json' } }),
    },
  ];
}

/** Sends a reader who typed one slash too many to the page. */
const redirectRoute = (path: string, to: string): Route => ({
  method: 'GET',
  path,
  handle: () => Promise.resolve({ status: 308, headers: { Location: to } }),
});

const DAY_MS = 86_400_000;

/** The file is built on the first request of each day and cached: it changes only with a release and with the day. */
function fileRoute(path: string, now: () => number, make: (nowMs: number) => Promise<File>): Route {
  let made: { readonly day: number; readonly file: ReturnType<typeof prepared> } | undefined;
  return {
    method: 'GET',
    path,
    async handle(request) {
      const nowMs = now();
      const day = Math.floor(nowMs / DAY_MS);
      if (made?.day !== day) made = { day, file: prepared(make(nowMs)) };
      const file = await made.file.catch((cause: unknown) => {
        made = undefined;
        throw cause;
      });
      return answer(request, file);
    },
  };
}

async function prepared(made: Promise<File>) {
  const { text, contentType, headers = {} } = await made;
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { body: await compress(text), etag, contentType, headers };
}

function answer(request: HttpRequest, file: Awaited<ReturnType<typeof prepared>>): HttpResponse {
  const headers = {
    ...file.headers,
    ETag: file.etag,
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
  };
  if (knows(request.headers['if-none-match'], file.etag)) return { status: 304, headers };
  return answerCompressed(request, { status: 200, headers, contentType: file.contentType }, file.body);
}

/** Returns true when the client has this version. Proxies mark the tag as weak when they compress. */
function knows(given: string | undefined, etag: string): boolean {
  const tags = (given ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
