import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from '@gp/bundled/ajv';
import { Type, type Static } from '@gp/bundled/typebox';
import { ClientRecord, newRecord } from './record.ts';
import { Refusal } from '../support/command-line.ts';
import { HeardEvent } from './views.ts';

/** A change of the file's form gets another number: files of older forms are refused. */
const VERSION = 1;

/** Where a merchant receives webhooks, in every part: the platform has stored the address. */
const Endpoint = Type.Object({
  merchant: Type.String(),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  secret: Type.String({ minLength: 1 }),
});
export type Endpoint = Static<typeof Endpoint>;

const StoredHistory = Type.Object({
  version: Type.Literal(VERSION),
  /** While a part is `playing`, what its endpoints hear is in the memory of its process only. */
  state: Type.Union([Type.Literal('playing'), Type.Literal('agreed'), Type.Literal('contradicted')]),
  parts: Type.Integer({ minimum: 0 }),
  /** How long things went wrong, over all parts. */
  minutes: Type.Number({ minimum: 0 }),
  endpoints: Type.Array(Endpoint),
  record: ClientRecord,
  heard: Type.Array(HeardEvent),
  /** Deliveries that endpoints could not accept, and why. */
  refused: Type.Array(Type.String()),
});
/** What a history leaves to its next part, beside the data of the platform. */
export type StoredHistory = Static<typeof StoredHistory>;

const isStoredHistory = new Ajv().compile<StoredHistory>(StoredHistory);

/** The history before its first part. */
export function newHistory(): StoredHistory {
  return {
    ...{ version: VERSION, state: 'agreed', parts: 0, minutes: 0 },
    ...{ endpoints: [], record: newRecord(), heard: [], refused: [] },
  };
}

/** Returns the history that `dir` continues, or a new one for an empty or missing folder; rejects with a `Refusal`. */
export async function readHistory(dir: string): Promise<StoredHistory> {
  const text = await readFile(fileIn(dir), 'utf8').catch(ignoreAbsence);
  if (text !== undefined) return parseHistory(text, dir);
  if (((await readdir(dir).catch(ignoreAbsence)) ?? []).length > 0)
    throw new Refusal(`${dir} is not empty and holds no history that could be continued`);
  return newHistory();
}

/** Returns the history in this text if another part can follow; throws a `Refusal` that names `dir`. */
export function parseHistory(text: string, dir: string): StoredHistory {
  const history = parseJson(text);
  const { version } = (history ?? {}) as { version?: unknown };
  if (version !== undefined && version !== VERSION)
    throw new Refusal(`${fileIn(dir)} has version ${JSON.stringify(version)}, this program reads ${VERSION}`);
  if (!isStoredHistory(history)) {
    const [fault] = isStoredHistory.errors ?? [];
    const why = history === undefined ? 'it is not JSON' : `${fault?.instancePath || '/'} ${fault?.message}`;
    throw new Refusal(`${fileIn(dir)} is broken: ${why}`);
  }
  if (history.state === 'playing')
    throw new Refusal(
      `the last part of the history in ${dir} did not end, and what its endpoints heard is lost: begin another history`,
    );
  if (history.state === 'contradicted')
    throw new Refusal(`contradictions were found in the history in ${dir}: begin another history`);
  return history;
}

/** Stores the history in one step: the file is the old one or the new one. It has secrets, so only its owner may read it. */
export async function storeHistory(dir: string, history: StoredHistory): Promise<void> {
  const fresh = `${fileIn(dir)}.new`;
  await writeFile(fresh, JSON.stringify(history), { mode: 0o600, flush: true });
  await rename(fresh, fileIn(dir));
}

const fileIn = (dir: string): string => join(dir, 'history.json');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function ignoreAbsence(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
