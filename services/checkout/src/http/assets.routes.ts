import { AppError } from '@gp/errors';
import { answerCompressed, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import type { Asset } from '../app/pages.ts';

const YEAR_SECONDS = 31_536_000;

/** The routes of the pages' files. Names change with the content, so a browser never requests one twice. */
export function assetRoutes(assets: ReadonlyMap<string, Asset>): Route[] {
  return [
    {
      method: 'GET',
      path: '/assets/*file',
      async handle(request) {
        const name = request.params['file'] ?? '';
        const asset = assets.get(name);
        if (!asset) throw new AppError('route_not_found');
        return answer(request, name, asset);
      },
    },
    {
      method: 'GET',
      path: '/robots.txt',
      handle: () => Promise.resolve({ status: 200, body: 'User-agent: *\nDisallow: /\n' }),
    },
  ];
}

function answer(request: HttpRequest, name: string, asset: Asset): HttpResponse {
  const headers = {
    'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
    ETag: `"${name}"`,
    Vary: 'Accept-Encoding',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  // The name identifies the content, so a client that has any version of the name has this one.
  if (request.headers['if-none-match']?.includes(`"${name}"`)) return { status: 304, headers };
  return answerCompressed(request, { status: 200, headers, contentType: asset.type }, asset);
}
