import { receiveTraces, parseSpans, type ReceivedSpan } from '@gp/stack';

export type TraceReceiver = {
  readonly url: string;
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
  const { url, close } = await receiveTraces(0, (body) => {
    bodies.push(body);
    spans.push(...parseSpans(body));
  });
  return { url, close, text: () => bodies.join('\n'), spans: () => [...spans] };
}
