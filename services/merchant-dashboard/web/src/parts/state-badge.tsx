import { findTone, formatState, type Tone } from './tone.ts';

/** Shows a state in words and in colour; its name in the API on hover. */
export function StateBadge({ state }: { state: string }) {
  return (
    <Badge tone={findTone(state)} title={state}>
      {formatState(state)}
    </Badge>
  );
}

export function Badge({ tone, children, title }: { tone: Tone; children: string; title?: string }) {
  return (
    <span className="badge" data-tone={tone} title={title}>
      {children}
    </span>
  );
}
