import { createHash } from 'node:crypto';
import { AppError } from '@gp/errors';
import { compressAnswer, type HttpRequest, type HttpResponse, type Route } from '@gp/http';

/** The widget's loaders by their version, whose content never changes, and the types of the newest. */
export type WidgetFiles = {
  readonly latest: string;
  readonly loaders: ReadonlyMap<string, { readonly code: string; readonly integrity: string }>;
  readonly types: string;
};

/** How long a browser caches the channel's address: the longest time until a fixed loader is everywhere. */
const CHANNEL_SECONDS = 300;
const YEAR_SECONDS = 31_536_000;

const SCRIPT = 'text/javascript; charset=utf-8';
/** Every page may load scripts and types; a browser can check the hash only of a file that the page may read. */
const forEveryPage = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** The routes of the script that merchants load: by channel, by version, and its metadata. */
export function widgetRoutes({ latest, loaders, types }: WidgetFiles): Route[] {
  const newest = loaders.get(latest);
  if (!newest) throw new Error(`the widget's manifest names ${latest}, which is not there`);
  const manifest = {
    channel: '/widget/v1.js',
    types: '/widget/v1.d.ts',
    latest,
    versions: [...loaders].map(([version, { integrity }]) => ({
      version,
      path: buildReleasePath(version),
      integrity,
    })),
  };
  return [
    onChannel('/widget/v1.js', SCRIPT, newest.code),
    onChannel('/widget/v1.d.ts', 'text/plain; charset=utf-8', types),
    onChannel('/widget/manifest.json', 'application/json; charset=utf-8', JSON.stringify(manifest, null, 2)),
    {
      method: 'GET',
      path: buildReleasePath(':version'),
      async handle(request) {
        const loader = loaders.get(request.params['version'] ?? '');
        if (!loader) throw new AppError('route_not_found');
        const headers = { ...forEveryPage, 'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable` };
        return compressAnswer(request, { status: 200, headers, contentType: SCRIPT, body: loader.code });
      },
    },
  ];
}

const buildReleasePath = (version: string): string => `/widget/${version}/widget.js`;

/** Returns a route whose content may change: cached for a short time, then revalidated by its tag. */
function onChannel(path: string, contentType: string, body: string): Route {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = { ...forEveryPage, 'Cache-Control': `public, max-age=${CHANNEL_SECONDS}`, ETag: etag };
  return {
    method: 'GET',
    path,
    async handle(request): Promise<HttpResponse> {
      if (isKnown(request, etag)) return { status: 304, headers };
      return compressAnswer(request, { status: 200, headers, contentType, body });
    },
  };
}

function isKnown({ headers }: HttpRequest, etag: string): boolean {
  const known = headers['if-none-match'] ?? '';
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
