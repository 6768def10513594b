import type { RecordedRequest, RecordingServer } from './recording-server.ts';

/** The requests of one step, and its result. Amounts of the result are texts, since JSON has no bigint. */
export type RecordedStep = { readonly sent: readonly RecordedRequest[]; readonly answer: unknown };

/** Runs steps one after the other and records the requests that each of them sends to the server. */
export async function recordSteps(
  server: RecordingServer,
  steps: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, RecordedStep>> {
  const recorded: Record<string, RecordedStep> = {};
  for (const [name, step] of Object.entries(steps)) {
    const answer = toJson(await step());
    recorded[name] = { sent: server.take(), answer };
  }
  return recorded;
}

function toJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)),
  );
}
