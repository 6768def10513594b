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

type Ended = { code: number; stdout: string; stderr: string };

function run(env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile('/bin/sh', [script], { env: { PATH: folder, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('the script that finds Chromium', () => {
  it.each(['chromium', 'chromium-browser', 'google-chrome'])('finds %s where it is', async (name) => {
    const path = await install(name, '');
    expect(await run()).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' });
  });

  it('takes the one it is told', async () => {
    await install('chromium', '');
    const named = await install('my-chromium', '');
    expect(await run({ CHROMIUM: named })).toMatchObject({ code: 0, stdout: `${named}\n` });
  });

  it('installs the package as root where there is none, and prints nothing but where it is', async () => {
    await install('id', 'echo 0');
    await install(
      'apt-get',
      `echo chatter; echo "$@" >>${folder}/asked; [ "$1" = update ] || { printf '#!/bin/sh\\n' >${folder}/chromium; /bin/chmod 755 ${folder}/chromium; }`,
    );
    const ended = await run();
    expect(ended).toMatchObject({ code: 0, stdout: `${folder}/chromium\n` });
    expect(await readFile(join(folder, 'asked'), 'utf8')).toMatch(/^update.*\ninstall .*\bchromium\n$/);
  });

  it('stops with the name of the package where nobody may install it', async () => {
    await install('id', 'echo 1000');
    await install('apt-get', `echo asked >${folder}/asked`);
    const ended = await run();
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/package chromium.*apt-get install chromium/);
    await expect(readFile(join(folder, 'asked'))).rejects.toThrow();
  });

  it.each([
    ['fails', 'exit 100', /could not be installed/],
    ['brings none', 'exit 0', /brought no chromium/],
  ])('stops where the installation %s', async (_how, lines, complaint) => {
    await install('id', 'echo 0');
    await install('apt-get', lines);
    const ended = await run();
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(complaint);
  });
});
