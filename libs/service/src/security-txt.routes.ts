import type { Route } from '@gp/http';

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/** Serves /.well-known/security.txt (RFC 9116) where a contact is set. Its end moves on by itself, day by day. */
export function securityTxtRoutes(o: {
  readonly securityContact?: string | undefined;
  readonly now?: () => number;
}): Route[] {
  const { securityContact, now = Date.now } = o;
  if (securityContact === undefined) return [];
  const buildText = (): string => {
    const today = Math.floor(now() / DAY_MS) * DAY_MS;
    const expires = new Date(today + VALID_DAYS * DAY_MS).toISOString();
    return `Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
  };
  return [
    {
      method: 'GET',
      path: '/.well-known/security.txt',
      handle: async () => ({
        status: 200,
        headers: { 'Cache-Control': 'public, max-age=86400' },
        contentType: 'text/plain; charset=utf-8',
        body: buildText(),
      }),
    },
  ];
}
