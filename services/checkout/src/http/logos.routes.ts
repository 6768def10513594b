import { findLogoType } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Route } from '@gp/http';

/**
 * A picture and nothing else, whatever its bytes may be read as. Every site may show it: the dashboard, mails and previews of
 * links are of other origins.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Robots-Tag': 'noindex',
};

/** The route of merchants' logos. A name stands for its bytes, so a browser never requests one twice. */
export function logoRoutes(find: (file: string) => Promise<Buffer | undefined>): Route[] {
  return [
    {
      method: 'GET',
      path: '/logos/:file',
      async handle({ params: { file = '' }, headers: { 'if-none-match': known } }) {
        const contentType = findLogoType(file);
        const body = contentType && (await find(file));
        if (!body) throw new AppError('route_not_found');
        const headers = { ...HEADERS, ETag: `"${file}"` };
        if (known?.includes(`"${file}"`)) return { status: 304, headers };
        return { status: 200, headers, contentType, body };
      },
    },
  ];
}
