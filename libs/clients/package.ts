import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `npm run clients -- python [folder]`, or `go`, writes `dist/python`, or another folder: a client of the API as it is
 * published. Its operations are generated from openapi.json, the rest is written by hand.
 */
const here = import.meta.dirname;
const root = resolve(here, '../..');
const [language = '', folder] = process.argv.slice(2);
const dist = resolve(folder ?? join(here, 'dist', language));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Returns where a tool of .configs/tools.sh is; what that prints where it cannot be had is shown. */
function findTool(name: string): string {
  const args = [join(root, '.configs/tools.sh'), name];
  return execFileSync('sh', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: dist, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Without the events: generators would write a sender of webhooks for each. */
function writeDescription(): string {
  const text = readFileSync(join(root, 'libs/reference/openapi.json'), 'utf8');
  const { webhooks: _, ...document } = JSON.parse(text) as Record<string, unknown>;
  const file = join(dist, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

function generatePython(document: string): void {
  const settings = ['--config', join(here, 'python/config.yml'), '--meta', 'none'];
  const places = ['--path', document, '--output-path', join(dist, 'generated')];
  run(findTool('openapi-python-client'), ['generate', ...settings, ...places]);
  cpSync(join(dist, 'generated'), join(dist, 'group_payments'), { recursive: true });
  rmSync(join(dist, 'generated'), { recursive: true });
  const project = join(dist, 'pyproject.toml');
  writeFileSync(
    project,
    readFileSync(project, 'utf8').replace('version = "0.0.0"', `version = "${version}"`),
  );
}

function generateGo(document: string): void {
  run(findTool('oapi-codegen'), ['-config', join(here, 'go/config.yaml'), document]);
}

const languages = {
  python: { generate: generatePython, tests: 'tests', settings: 'config.yml' },
  go: { generate: generateGo, tests: '.', settings: 'config.yaml' },
};
const chosen = language === 'python' || language === 'go' ? languages[language] : undefined;
if (!chosen) throw new Error('usage: package.ts python|go [folder]');

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
cpSync(join(here, language), dist, { recursive: true });
rmSync(join(dist, chosen.settings));
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
copyFileSync(join(here, 'vectors.json'), join(dist, chosen.tests, 'vectors.json'));
const document = writeDescription();
chosen.generate(document);
rmSync(document);
