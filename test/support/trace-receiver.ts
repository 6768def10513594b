import { receiveTraces, parseSpans, type ReceivedSpan } from '@gp/stack';

export type TraceReceiver = {
  /** The settings with which services send their traces here. */
  readonly settings: Readonly<Record<string, string>>;
  /** All that was sent, as it was sent. */
  text(): string;
  /** Those that have come until now. */
  spans(): readonly ReceivedSpan[];
  close(): Promise<void>;
};

/** A collector in this process that keeps what services export. */
export async function openTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = [];
  const spans: ReceivedSpan[] = [];
  const { settings, close } = await receiveTraces(0, (body) => {
    bodies.push(body);
    spans.push(...parseSpans(body));
  });
  return { settings, close, text: () => bodies.join('\n'), spans: () => [...spans] };
}
