import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { openApi } from '@gp/reference';
import { openEndpoint } from '../support/endpoint.ts';
import { openOwnStack } from '../support/own-stack.ts';
import { judgedDocument, type Asked } from './judged.ts';
import { setScene, type Scene } from './scene.ts';
import { askSchemathesis } from './schemathesis.ts';
import { findSpecmatic, type Tool } from './tool.ts';
import { parseVerdict, type Verdict } from './verdict.ts';

// Specmatic and Schemathesis read openapi.json, make requests of it, right ones and wrong ones, and judge a running stack by the
// answers. Ends with 1 when one of them found a fault; says NOT RUN where one cannot be had.

const WITHIN_MS = 240_000;
/** Operations that may be asked hundreds of times, none of which waits for a gateway. */
const VARIED = ['createGroupPayment', 'getGroupPayment', 'createWebhook', 'updateWebhook'];
/** Bounds what is varied; each further one multiplies the requests. */
const COMBINATIONS = '4';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

type Run = { readonly target: string; readonly key: string; readonly isVaried: boolean };

async function judge(tool: Exclude<Tool, { missing: string }>, asked: Record<string, Asked>, run: Run) {
  const folder = await mkdtemp(join(tmpdir(), 'gp-contract-'));
  try {
    const document = join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify(judgedDocument(await openApi(), asked)));
    const log = createWriteStream(join(folder, 'log'));
    const args = [...tool.args, 'test', document, `--testBaseURL=${run.target}`];
    const child = spawn(tool.program, [...args, '--timeout=30', '--junitReportDir=report'], {
      cwd: folder,
      timeout: WITHIN_MS,
      env: {
        ...process.env,
        secretKey: run.key,
        SPECMATIC_DISABLE_TELEMETRY: 'true',
        SPECMATIC_GENERATIVE_TESTS: String(run.isVaried),
        MAX_TEST_REQUEST_COMBINATIONS: COMBINATIONS,
      },
    });
    child.stdout.pipe(log);
    child.stderr.pipe(process.stderr);
    const [status] = (await once(child, 'close')) as [number | null];
    // A Java machine that receives SIGTERM exits with 143.
    if (status === null || status === 143)
      throw new Error(`Specmatic did not end within ${WITHIN_MS / 1_000} s`);
    const report = await readFile(join(folder, 'report/TEST-junit-jupiter.xml'), 'utf8').catch(async () => {
      throw new Error(
        `Specmatic made no report:\n${(await readFile(join(folder, 'log'), 'utf8')).slice(-3_000)}`,
      );
    });
    return parseVerdict(report, run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tell(what: string, { tests, refused, ruledOut, failures }: Verdict): void {
  say(
    `${what}: ${tests} requests, ${refused} wrong ones refused, ${ruledOut} ruled out, ${failures.length} faults`,
  );
  failures.slice(0, 20).forEach(say);
}

async function askSpecmatic(target: string, { key, asked }: Scene): Promise<boolean> {
  const tool = await findSpecmatic();
  if ('missing' in tool) {
    say(`NOT RUN: Specmatic, ${tool.missing}`);
    return true;
  }
  const plain = await judge(tool, asked, { target, key, isVaried: false });
  tell('Specmatic, as published', plain);
  const again = Object.entries(asked).filter(([id]) => VARIED.includes(id));
  const varied = await judge(tool, Object.fromEntries(again), { target, key, isVaried: true });
  tell('Specmatic, varied', varied);
  const isWhole = plain.tests >= Object.keys(asked).length && varied.refused > 0;
  if (!isWhole) say('Specmatic left operations out');
  return isWhole && plain.failures.length + varied.failures.length === 0;
}

/** The requests of each tool change what the other one's refer to, so each has a scene of its own. */
async function main(): Promise<boolean> {
  const own = await openOwnStack();
  const endpoint = await openEndpoint();
  try {
    const target = own.stack.api;
    const isPublished = await askSpecmatic(target, await setScene(own.stack, endpoint));
    const isSound = await askSchemathesis(target, await setScene(own.stack, endpoint));
    return isPublished && isSound;
  } finally {
    await endpoint.close();
    await own.close();
  }
}

process.exitCode = (await main()) ? 0 : 1;
