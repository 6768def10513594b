import { execFile, type ExecFileException } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApi, type JsonObject } from '@gp/reference';
import { findTool } from '@gp/testing';
import { withExample, withValue, type Asked } from './judged.ts';
import type { Scene } from './scene.ts';

const WITHIN_MS = 600_000;
/** A build always sends the same requests; a run with another seed is started by hand. */
const SEED = process.env['GP_CONTRACT_SEED'] ?? '1';
/** Number of made-up requests for each operation, beside those that its coverage of the schemas needs. */
const EXAMPLES = '6';
/** It never ends. */
const ENDLESS = 'streamEvents';
/**
 * It wants success for every request that the schemas allow, and knows no rule between two fields, nor that a key of
 * idempotency was used before. Specmatic judges that.
 */
const UNFIT_CHECK = 'positive_data_acceptance';

type Report = {
  readonly complete: boolean;
  readonly operations: { readonly selected: number; readonly tested: number };
  readonly test_cases: { readonly generated: number; readonly unique_failures: number };
  readonly errors: readonly unknown[];
};

/**
 * Has Schemathesis ask every operation of a running platform, with right values, with wrong ones, and in sequences that follow the
 * links between operations. Returns false when an answer is no published one or a 5xx, with its report printed; true, after a
 * line that says NOT RUN, where Schemathesis cannot be had.
 */
export async function askSchemathesis(target: string, { key, asked }: Scene): Promise<boolean> {
  const program = findTool('schemathesis', 'Schemathesis against a running platform');
  if (program === undefined) return true;
  const folder = await mkdtemp(join(tmpdir(), 'gp-schemathesis-'));
  try {
    const document = join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify(withScene(await openApi(), asked)));
    const run = ['run', document, '--url', target, '--header', `Authorization: Bearer ${key}`];
    const bounds = ['--seed', SEED, '--max-examples', EXAMPLES, '--workers', '2', '--request-timeout', '30'];
    const choice = ['--exclude-operation-id', ENDLESS, '--exclude-checks', UNFIT_CHECK];
    const output = ['--continue-on-failure', '--no-color', '--report-json-path', join(folder, 'report.json')];
    const kept = ['--generation-database', 'none'];
    const printed = await runToEnd(program, [...run, ...bounds, ...choice, ...output, ...kept], folder);
    const report = await readReport(join(folder, 'report.json'), printed);
    const { operations, test_cases, errors, complete } = report;
    process.stdout.write(
      `Schemathesis: ${test_cases.generated} requests to ${operations.tested} operations, ${test_cases.unique_failures} faults\n`,
    );
    const isSound = complete && test_cases.unique_failures === 0 && errors.length === 0;
    if (!isSound) process.stdout.write(printed);
    return isSound && operations.tested === operations.selected;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the published document with the scene's ids and bodies as its examples, so that requests find what they ask for. */
function withScene(published: JsonObject, asked: Readonly<Record<string, Asked>>): JsonObject {
  const paths = published['paths'] as Record<string, Record<string, JsonObject>>;
  const filled = Object.entries(paths).map(([path, operations]) => {
    const all = Object.entries(operations).map(([method, operation]) => {
      const values = asked[String(operation['operationId'])];
      return [method, values ? fill(operation, values) : operation] as const;
    });
    return [path, Object.fromEntries(all)] as const;
  });
  return { ...published, paths: Object.fromEntries(filled) };
}

function fill(operation: JsonObject, { path = {}, body }: Asked): JsonObject {
  const parameters = (operation['parameters'] ?? []) as readonly JsonObject[];
  const request = operation['requestBody'] as JsonObject | undefined;
  return {
    ...operation,
    parameters: parameters.map((parameter) => withValue(parameter, path)),
    ...(request && body !== undefined && { requestBody: withExample(request, body) }),
  };
}

/** Returns what the program printed; that it found something is in its report, too. */
async function runToEnd(program: string, args: readonly string[], folder: string): Promise<string> {
  const options = { cwd: folder, timeout: WITHIN_MS, maxBuffer: 2 ** 28 };
  const { stdout, stderr } = await promisify(execFile)(program, [...args], options).catch(
    (error: unknown) => {
      const { stdout = '', stderr = '', message } = error as ExecFileException;
      return { stdout, stderr: `${stderr}\n${message}\n` };
    },
  );
  return stdout + stderr;
}

async function readReport(file: string, printed: string): Promise<Report> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`Schemathesis made no report:\n${printed}`);
  });
  return JSON.parse(text) as Report;
}
