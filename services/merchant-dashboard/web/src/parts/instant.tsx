import { formatDistance, formatExactInstant, formatInstant } from '../format/instant.ts';

type Props = { readonly at: string; readonly hasSeconds?: boolean; readonly timeZone?: string };

/** An instant in the viewer's locale and time zone, or another one, with seconds where asked for; exact on hover. */
export function Instant({ at, hasSeconds = false, timeZone }: Props) {
  return (
    <time dateTime={at} title={at}>
      {(hasSeconds ? formatExactInstant : formatInstant)(at, undefined, timeZone)}
    </time>
  );
}

/** How far an instant is from now, or from the test clock's now; exact on hover. */
export function Distance({ to, from = new Date() }: { to: string; from?: Date }) {
  return (
    <time dateTime={to} title={`${formatInstant(to)} · ${to}`}>
      {formatDistance(to, from)}
    </time>
  );
}
