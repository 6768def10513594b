import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { root } from '../support/stack.ts';

/** The client as it is published: packed from what the script of its workspace builds. */
export type PackedClient = {
  /** An empty project of this kind with the client installed and the programs in it. */
  openProject(kind: ProjectKind): Project;
  remove(): void;
};

/** `esm` and `commonjs` hold JavaScript, `typescript` the programs as they are written. */
export type ProjectKind = 'esm' | 'commonjs' | 'typescript';

export type Project = {
  readonly folder: string;
  /** Runs a program in the project; resolves with what it printed, rejects with its output when it fails. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /**
   * Bundles the program of a project of ES modules into a script whose global `program` has `payGroup`, and resolves with the
   * script's file. A part that only Node has makes the bundler fail or the script throw.
   */
  bundle(): Promise<string>;
};

const PROGRAMS = ['main.ts', 'pay-group.ts'];
const rolldown = join(root, 'node_modules/rolldown/bin/cli.mjs');
const npm = join(root, 'node_modules/npm/bin/npm-cli.js');

export function packClient(): PackedClient {
  const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  const workspace = join(root, 'libs/client');
  const built = join(folder, 'built');
  execFileSync(process.execPath, [join(workspace, 'package.ts'), built], { stdio: 'pipe' });
  const args = [npm, 'pack', built, '--pack-destination', folder, '--json'];
  const [packed] = Object.values(
    JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { filename: string }[],
  );
  const tarball = join(folder, packed?.filename ?? '');
  return {
    openProject: (kind) => openProject(join(folder, kind), kind, tarball),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function openProject(folder: string, kind: ProjectKind, tarball: string): Project {
  mkdirSync(folder);
  const type = kind === 'commonjs' ? 'commonjs' : 'module';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: kind, private: true, type }));
  const install = [npm, 'install', tarball, '--offline', '--no-audit', '--no-fund'];
  execFileSync(process.execPath, install, { cwd: folder, stdio: 'pipe' });
  for (const program of PROGRAMS) writeProgram(folder, kind, program);
  const run: Project['run'] = async (command, args, env = {}) => {
    const paths = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
    const options = { cwd: folder, env: { ...process.env, ...paths, ...env }, timeout: 300_000 };
    return (await promisify(execFile)(command, [...args], options)).stdout;
  };
  return {
    ...{ folder, run },
    async bundle() {
      const shape = ['--platform', 'browser', '--format', 'iife', '--name', 'program', '--file', 'bundle.js'];
      await run(process.execPath, [rolldown, 'pay-group.js', ...shape]);
      return join(folder, 'bundle.js');
    },
  };
}

function writeProgram(folder: string, kind: ProjectKind, program: string): void {
  const source = readFileSync(join(import.meta.dirname, 'programs', program), 'utf8');
  if (kind === 'typescript') return writeFileSync(join(folder, program), source.replaceAll(".ts'", ".js'"));
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: kind === 'esm' ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      rewriteRelativeImportExtensions: true,
    },
  });
  writeFileSync(join(folder, program.replace(/\.ts$/, '.js')), outputText);
}
