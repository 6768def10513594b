import { formatDistance, formatExactInstant, formatInstant } from '../format/instant.ts';

/** An instant in the viewer's locale, with seconds where asked for; exact on hover. */
export function Instant({ at, hasSeconds = false }: { at: string; hasSeconds?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {hasSeconds ? formatExactInstant(at) : formatInstant(at)}
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
