import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@gp/testing';
import { measureInstall } from './measure-install.ts';
import { project } from './project-files.ts';

const run = promisify(execFile);
const ONLY_TO_RUN = 'ci --omit=dev';
const EVERYTHING = 'ci --include=dev';
const WIDENED = 'install --no-save --include=dev';

/**
 * Stands in for the pinned npm: notes its arguments when it begins and ends, deletes what is there before it installs from the
 * lock file alone, and writes npm's record of what is installed, unless GP_BROKEN names its word. With GP_HELD it ends when
 * there is a file `go`, within a minute.
 */
const NPM = `import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
const words = process.argv.slice(2).filter((word) => !/^--(no-audit|no-fund|ignore-scripts|loglevel=error)$/.test(word));
appendFileSync('npm.log', words.join(' ') + '\\n');
if (words[0] === 'ci') rmSync('node_modules', { recursive: true, force: true });
if (process.env.GP_BROKEN === words[0]) process.exit(1);
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = Object.entries(lock.packages).filter(([, entry]) => !words.includes('--omit=dev') || !entry.dev);
mkdirSync('node_modules', { recursive: true });
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(packages) }));
const pause = () => new Promise((done) => setTimeout(done, 50));
for (let pauses = 0; process.env.GP_HELD && !existsSync('go') && pauses < 1200; pauses += 1) await pause();
appendFileSync('npm.log', 'done\\n');
`;

let folder: string;
let port: number;
beforeAll(async () => (port = await freePort()));

async function writeProgram(name: string, text: string): Promise<void> {
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, 'bin', name), 0o755);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gp-install-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'libs/bundled'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.configs'])
    await cp(join(project, file), join(folder, file), { recursive: true });
  const build = 'mkdir -p dist && touch dist/typebox.js';
  await writeFile(join(folder, 'libs/bundled/package.json'), JSON.stringify({ scripts: { build } }));
  await writeFile(join(folder, 'npm.mjs'), NPM);
  await writeFile(join(folder, 'npm.log'), '');
  // A platform for which the registry has no Node, so that the Node on PATH is taken.
  await writeProgram('uname', 'echo Darwin');
  await writeProgram('node', `exec ${process.execPath} "$@"`);
  await writeProgram(
    'npm',
    'while [ "$1" != --prefix ]; do shift; done; mkdir -p "$2/node_modules/npm/bin"; ' +
      `cp ${join(folder, 'npm.mjs')} "$2/node_modules/npm/bin/npm-cli.js"`,
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Runs a word of the npm scripts; nothing but the set-up is there to succeed. Returns what it reports, and passes each part of
 * it on.
 */
async function sayOne(
  word: string,
  env: NodeJS.ProcessEnv = {},
  onReport: (text: string) => void = () => undefined,
): Promise<string> {
  const given = {
    PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
    TMPDIR: folder,
    GP_PORT_BASE: String(port),
    ...env,
  };
  const running = run('sh', ['.configs/run.sh', word], { cwd: folder, env: given });
  running.child.stderr?.on('data', (text) => onReport(String(text)));
  const ended = await running.catch((error: unknown) => error as { stderr: string });
  return ended.stderr;
}

/** Runs words of the npm scripts one after another. Returns what npm was told. */
async function say(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> {
  for (const word of words) await sayOne(word, env);
  return listInstalls();
}

const listInstalls = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'npm.log'), 'utf8')).split('\n').filter((line) => !/^(done)?$/.test(line));

describe('installs', () => {
  it.each(['start', 'stop', 'demo', 'build', 'operator', 'identities'])(
    'npm run %s installs only what the product needs to run, once',
    async (word) => {
      expect(await say([word, word])).toEqual([ONLY_TO_RUN]);
    },
  );

  it.each(['setup', 'test', 'typecheck', 'chart', 'budgets', 'generate', 'clients'])(
    'npm run %s installs everything in an empty clone, once',
    async (word) => {
      expect(await say([word, word])).toEqual([EVERYTHING]);
    },
  );

  it('npm test after npm start adds to what is installed', async () => {
    expect(await say(['start', 'test', 'start', 'test'])).toEqual([ONLY_TO_RUN, WIDENED]);
  });

  it('npm start after npm test installs nothing', async () => {
    expect(await say(['test', 'start', 'stop'])).toEqual([EVERYTHING]);
  });

  it('an install that was interrupted is done anew', async () => {
    expect(await say(['start'], { GP_BROKEN: 'ci' })).toEqual([ONLY_TO_RUN]);
    expect(await say(['start'])).toEqual([ONLY_TO_RUN, ONLY_TO_RUN]);
  });

  it('an addition that fails leaves what the product needs to run, and the next command for development tries again', async () => {
    expect(await say(['start', 'test', 'start'], { GP_BROKEN: 'install' })).toEqual([ONLY_TO_RUN, WIDENED]);
    expect(await say(['test', 'test'])).toEqual([ONLY_TO_RUN, WIDENED, WIDENED]);
  });

  it('after an update of a package, npm start keeps what was installed for development', async () => {
    await say(['test']);
    await mkdir(join(folder, 'node_modules/.bin'));
    await writeFile(join(folder, 'node_modules/.bin/jest'), '');
    await chmod(join(folder, 'node_modules/.bin/jest'), 0o755);
    const record = join(folder, 'node_modules/.package-lock.json');
    const text = await readFile(record, 'utf8');
    await writeFile(record, text.replace(/("node_modules\/rolldown":\{"version":")[^"]*/, '$10.0.1'));
    expect(await say(['start'])).toEqual([EVERYTHING, EVERYTHING]);
  });

  it('npm start in an empty clone reports that the port of the API is taken, before it installs anything', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const taken = String((server.address() as AddressInfo).port);
    const said = await sayOne('start', { GP_PORT_BASE: taken });
    server.close();
    expect(said).toContain(`Port ${taken} on 127.0.0.1, wanted for the API, is already in use.`);
    expect(said).toContain('GP_PORT_BASE=18080 npm start');
    expect(await listInstalls()).toEqual([]);
    expect(await say(['start'], { GP_PORT_BASE: taken })).toEqual([ONLY_TO_RUN]);
  });

  it('two commands at once install one after the other', async () => {
    const first = sayOne('start', { GP_HELD: '1' });
    await eventually(async () => (await listInstalls())[0]);
    const said = await sayOne('test', {}, (text) => {
      if (text.includes('Waiting for another command that installs here.'))
        writeFileSync(join(folder, 'go'), '');
    });
    expect(said).toContain('Waiting for another command that installs here.');
    await first;
    const lines = (await readFile(join(folder, 'npm.log'), 'utf8')).trim().split('\n');
    expect(lines).toEqual([ONLY_TO_RUN, 'done', WIDENED, 'done']);
  });
});

describe('the size of an install', () => {
  it('the packages that the product needs to run take at most 450 MB', async () => {
    const { megabytes, packages } = await measureInstall({ onlyToRun: true });
    expect(megabytes).toBeLessThanOrEqual(450);
    expect(packages).toEqual(expect.arrayContaining(['rolldown', 'vite', 'react', 'stripe']));
    expect(packages.filter((name) => /^(jest|typescript|turbo|oxlint|prettier)$/.test(name))).toEqual([]);
  });
});
