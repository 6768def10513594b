import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { root } from '../support/stack.ts';

type Line = { time: string; service: string; msg: string; trace_id?: string; intent_id?: string };

/** Where the stack of the demo keeps its data. */
export const dataDir = () => resolve(root, process.env['GP_DATA_DIR'] ?? '.data');

/**
 * Gathers the log lines of every service in the trace of one payment, in order, into a file of its own. Returns the file
 * and the lines as readable text.
 */
export async function writeStory(
  intentId: string,
): Promise<{ file: string; traceId: string; lines: string[] }> {
  const text = await readFile(join(dataDir(), 'services.log'), 'utf8');
  const all = text.split('\n').flatMap(parse);
  const traceId = all.find((line) => line.intent_id === intentId && line.trace_id !== undefined)?.trace_id;
  if (traceId === undefined) throw new Error(`no log line names payment ${intentId}`);
  const story = all.filter((line) => line.trace_id === traceId).sort((a, b) => a.time.localeCompare(b.time));
  const file = join(dataDir(), `payment-${intentId}.log`);
  await writeFile(file, story.map((line) => JSON.stringify(line)).join('\n') + '\n', { mode: 0o600 });
  return {
    file,
    traceId,
    lines: story.map((line) => `${line.time.slice(11, 23)}  ${line.service.padEnd(18)}  ${line.msg}`),
  };
}

function parse(line: string): Line[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}
