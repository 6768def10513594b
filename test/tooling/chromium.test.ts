import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const script = fileURLToPath(new URL('../../.configs/chromium.sh', import.meta.url));

/** A machine that has the commands of one folder and no others. */
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-payments-machine-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function install(command: string, lines: string): Promise<string> {
  const path = join(folder, command);
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o755);
  return path;
}

/** An `apt-get` that installs this package and has no other. */
const installs = (offered: string): string => `
  echo chatter; echo "$@" >>${folder}/asked
  [ "$1" = update ] && exit
  case "$*" in *' ${offered}') ;; *) exit 100 ;; esac
  printf '#!/bin/sh\\n' >${folder}/${offered}; /bin/chmod 755 ${folder}/${offered}`;

type Ended = { code: number; stdout: string; stderr: string };

function run(env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile('/bin/sh', [script], { env: { PATH: folder, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('the script that finds Chromium', () => {
  it.each(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'])(
    'the script that finds Chromium finds %s where it is',
    async (name) => {
      await install('id', 'echo 1000');
      const path = await install(name, '');
      expect(await run()).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' });
    },
  );

  it('the script that finds Chromium prefers the headless shell to a browser', async () => {
    await install('chromium', '');
    const shell = await install('chromium-headless-shell', '');
    expect(await run()).toEqual({ code: 0, stdout: `${shell}\n`, stderr: '' });
  });

  it.each([
    ['adds the headless shell', 'exit 0', 'chromium-headless-shell'],
    ['keeps the browser where the packages offer no headless shell', 'exit 100', 'chromium'],
  ])('the script that finds Chromium %s as root', async (_what, offers, taken) => {
    await install('id', 'echo 0');
    await install('chromium', '');
    await install('apt-cache', offers);
    await install('apt-get', installs('chromium-headless-shell'));
    expect(await run()).toMatchObject({ code: 0, stdout: `${join(folder, taken)}\n` });
  });

  it('the script that finds Chromium uses the one that the environment names', async () => {
    await install('chromium', '');
    const named = await install('my-chromium', '');
    expect(await run({ CHROMIUM: named })).toMatchObject({ code: 0, stdout: `${named}\n` });
  });

  it.each(['chromium-headless-shell', 'chromium'])(
    'the script that finds Chromium installs as root what the packages offer, here %s, and prints only its path',
    async (offered) => {
      await install('id', 'echo 0');
      await install('apt-get', installs(offered));
      const ended = await run();
      expect(ended).toMatchObject({ code: 0, stdout: `${join(folder, offered)}\n` });
      expect(await readFile(join(folder, 'asked'), 'utf8')).toMatch(/^update.*\n(install .*\n)+$/);
    },
  );

  it('the script that finds Chromium stops with the name of the package where the user may not install it', async () => {
    await install('id', 'echo 1000');
    await install('apt-get', `echo asked >${folder}/asked`);
    const ended = await run();
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/apt-get install chromium-headless-shell/);
    await expect(readFile(join(folder, 'asked'))).rejects.toThrow();
  });

  it.each([
    ['fails', 'exit 100', /could not be installed/],
    ['brings none', 'exit 0', /brought no chromium/],
  ])('the script that finds Chromium stops where the installation %s', async (_how, lines, complaint) => {
    await install('id', 'echo 0');
    await install('apt-get', lines);
    const ended = await run();
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(complaint);
  });
});
