import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findManifest, findGatewayFolder } from '@gp/gateway-registry';
import { project } from '../tooling/project-files.ts';

/** A copy of the project in which there is one gateway more. */
export type ProjectCopy = {
  readonly root: string;
  /** Runs a program of the project there and returns what it printed; throws with its output when it fails. */
  run(command: string, args: readonly string[]): string;
  read(file: string): string;
  remove(): void;
};

/** A gateway that the platform does not know: its code, the code of the gateway that it behaves like, and its folder. */
export const FOURTH = { code: 'gateway_z', like: 'gateway_c', folder: 'zenith', vendor: 'Zenith' } as const;

/** Tests about the gateway that the new one behaves like: in the copy they are about the new one. */
const TESTS = 'test/journeys/';
/** The one test of a folder that uses no package of the real vendor. */
const CONFORMANCE = 'test/conformance.long.test.ts';
/** The client of the real vendor that other tests speak to the sandbox with. */
const CLIENT = 'test/merchant.ts';

/**
 * Copies the project and adds the gateway as a developer would: a folder, and a line in the registry. The folder is that
 * of a gateway that exists, under names that stand nowhere else, so that code which still depends on a known name fails.
 */
export function addFourthGateway(): ProjectCopy {
  const root = mkdtempSync(join(tmpdir(), 'fourth-gateway-'));
  const files = git('ls-files', '--cached', '--others', '--exclude-standard');
  for (const file of files) copyFile(file, join(root, file));
  // Packages and bundles that git does not track; git also leaves the packages of a folder that it has removed.
  for (const folder of [...installedFolders(), 'libs/bundled/dist'])
    if (existsSync(join(root, dirname(folder)))) linkFolder(folder, root);
  addFolder(root, files);
  addLine(root);
  for (const file of files.filter((one) => one.startsWith(TESTS)))
    rewrite(join(root, file), join(root, file));
  return {
    root,
    run: (command, args) => runIn(root, command, args),
    read: (file) => readFileSync(join(root, file), 'utf8'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function addFolder(root: string, files: readonly string[]): void {
  const source = `${findGatewayFolder(FOURTH.like)}/`;
  const target = `services/gateway-adapters/${FOURTH.folder}/`;
  // Comparisons with a package of the real vendor are no part of the new gateway.
  for (const file of files.filter((one) => one.startsWith(source) && isCopied(one)))
    rewrite(join(root, file), join(root, target + file.slice(source.length)));
}

const isCopied = (file: string): boolean =>
  file.endsWith(CONFORMANCE) || !(file.endsWith('.test.ts') || file.endsWith(CLIENT));

function addLine(root: string): void {
  const list = join(root, 'libs/gateway-registry/src/list.ts');
  const path = `../../../services/gateway-adapters/${FOURTH.folder}/manifest.ts`;
  const line = `export { manifest as ${FOURTH.code} } from '${path}';\n`;
  writeFileSync(list, readFileSync(list, 'utf8') + line);
}

/** Writes a file with the new gateway's names in the place of the old one's. */
function rewrite(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, rename(readFileSync(source, 'utf8')));
}

function rename(text: string): string {
  const { folder, vendor, title } = findManifest(FOURTH.like);
  const [old, fresh] = [listSpellings(FOURTH.like), listSpellings(FOURTH.code)];
  return old
    .map((word, at) => [word, fresh[at] ?? ''] as const)
    .concat([
      [`${folder}-easy`, `${folder}-easy`],
      [folder, FOURTH.folder],
      [vendor, FOURTH.vendor],
      [title, title.replace(/.$/, FOURTH.code.slice(-1).toUpperCase())],
    ])
    .reduce((renamed, [from, to]) => renamed.replace(new RegExp(`${from}(?![a-z])`, 'g'), to), text);
}

/** `gateway_a` as code and settings spell it. */
function listSpellings(code: string): string[] {
  const [first = '', last = ''] = code.split('_');
  const [pascal, letter] = [first.charAt(0).toUpperCase() + first.slice(1), last.toUpperCase()];
  return [code, `${first}-${last}`, code.toUpperCase(), first + letter, pascal + letter];
}

function runIn(root: string, command: string, args: readonly string[]): string {
  const bin = join(root, 'node_modules/.bin');
  const { GP_TEST_SERVERS: _ours, ...env } = process.env;
  try {
    return execFileSync(command, args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...env, PATH: `${dirname(process.execPath)}:${bin}:${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

function installedFolders(): string[] {
  const found = execFileSync(
    'find',
    ['.', '-name', '.data', '-prune', '-o', '-name', 'node_modules', '-type', 'd', '-prune', '-print'],
    { cwd: project, encoding: 'utf8' },
  );
  return found.trim().split('\n');
}

/** Links every file of an installed folder, or copies it where the temporary folder is on another disk. */
function linkFolder(folder: string, root: string): void {
  const paths = [join(project, folder), join(root, folder)];
  try {
    execFileSync('cp', ['-al', ...paths], { stdio: 'ignore' });
  } catch {
    rmSync(join(root, folder), { recursive: true, force: true });
    execFileSync('cp', ['-a', ...paths]);
  }
}

function git(...args: readonly string[]): string[] {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim().split('\n');
}

/** With its time: a source that is newer than the bundle of packages would have the bundle built again. */
function copyFile(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(project, file), target, { preserveTimestamps: true });
}
