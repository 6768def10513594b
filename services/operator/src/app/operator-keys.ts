import { rm, writeFile } from 'node:fs/promises';
import { createOperatorKey, type Bus } from '@gp/bus';
import { addOperatorKey, type OperatorKey, type RequestOf } from '@gp/contracts';
import { AppError } from '@gp/errors';

type NewKey = Omit<RequestOf<typeof addOperatorKey>, 'key'>;
/** The private half is shown here and nowhere else; with a file it is only in that file. */
type Private = { readonly private_key: string } | { readonly file: string };

/** Answers after which a key is certainly not registered. */
const REFUSALS = ['unauthorized', 'insufficient_scope', 'validation_error', 'conflict'];
const isRefused = (error: unknown): boolean => error instanceof AppError && REFUSALS.includes(error.code);

/** Makes a key pair and registers it nowhere. `first_operator` is its value for the setting `FIRST_OPERATOR` of the ledger. */
export async function createKey({
  name,
  file,
}: {
  name: string;
  file: string | undefined;
}): Promise<{ name: string; key: string; first_operator: string } & Private> {
  const { seed, publicKey: key } = createOperatorKey();
  const kept = await keepPrivate(seed, file);
  return { name, key, first_operator: `${name}:${key}`, ...kept };
}

/**
 * Makes a key pair and registers its public half; the private half never leaves this machine. It is written before the
 * key is registered, and deleted again when that is refused. Without an answer the key may be registered: the file stays.
 */
export async function registerNewKey(
  bus: Bus,
  wanted: NewKey,
  file: string | undefined,
): Promise<OperatorKey & Private> {
  const { seed, publicKey: key } = createOperatorKey();
  const kept = await keepPrivate(seed, file);
  try {
    return { ...(await bus.call(addOperatorKey, { ...wanted, key })), ...kept };
  } catch (error) {
    if (file !== undefined && isRefused(error)) await rm(file, { force: true });
    throw error;
  }
}

/** Writes the private half to a new file that only its owner may read; without a file it is returned. */
async function keepPrivate(seed: string, file: string | undefined): Promise<Private> {
  if (file === undefined) return { private_key: seed };
  await writeFile(file, `${seed}\n`, { flag: 'wx', mode: 0o600 });
  return { file };
}
