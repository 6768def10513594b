import { createHash } from 'node:crypto';
import { answerCompressed, compress, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import { docsPage, openApiText, type Addresses } from '@gp/reference';

type File = {
  readonly contentType: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * The description of the interface, for programs and for readers, whose examples name these addresses. It is public, so no
 * credential is required.
 */
export function referenceRoutes(addresses: Addresses): Route[] {
  return [
    fileRoute('/openapi.json', async () => ({
      contentType: 'application/json; charset=utf-8',
      text: await openApiText(addresses),
      headers: { 'Access-Control-Allow-Origin': '*' },
    })),
    fileRoute('/docs', async () => {
      const { html, contentSecurityPolicy } = await docsPage(addresses);
      return {
        contentType: 'text/html; charset=utf-8',
        text: html,
        headers: { 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' },
      };
    }),
  ];
}

/** The file is built on the first request and cached: it changes only with a release. */
function fileRoute(path: string, make: () => Promise<File>): Route {
  let made: ReturnType<typeof prepared> | undefined;
  return {
    method: 'GET',
    path,
    async handle(request) {
      made ??= prepared(make);
      const file = await made.catch((cause: unknown) => {
        made = undefined;
        throw cause;
      });
      return answer(request, file);
    },
  };
}

async function prepared(make: () => Promise<File>) {
  const { text, contentType, headers = {} } = await make();
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
