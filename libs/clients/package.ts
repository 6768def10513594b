import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `npm run clients -- typescript|cli|python|go [folder]` writes the client for a language, or the command line, as it is
 * published, into `dist` of its own folder or into another one. The clients for Python and Go have operations that are
 * generated from openapi.json; the rest of them is written by hand.
 */
const here = import.meta.dirname;
const root = resolve(here, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

type Package = {
  /** Its sources; the README in it begins with the line by which a folder that was written before is known. */
  readonly source: string;
  readonly dist: string;
  readonly write: (dist: string) => void;
  /** Commands that use the folder. */
  readonly use: (dist: string) => readonly string[];
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns where a tool of .configs/tools.sh is; what that prints where it cannot be had is shown. */
function findTool(name: string): string {
  say(`Looking for ${name}.`);
  const args = [join(root, '.configs/tools.sh'), name];
  return execFileSync('sh', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

function run(program: string, args: readonly string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Without the events: generators would write a sender of webhooks for each. */
function writeDescription(dist: string): string {
  const text = readFileSync(join(root, 'libs/reference/openapi.json'), 'utf8');
  const { webhooks: _, ...document } = JSON.parse(text) as Record<string, unknown>;
  const file = join(dist, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** Gives both kinds of client a default time limit: the generator's own waits without end. A confirm waits for its gateway. */
function limitTime(file: string): void {
  const text = readFileSync(file, 'utf8');
  const unlimited = /(_timeout: httpx\.Timeout \| None = field\()default=None,/g;
  const docstring = /httpx\.TimeoutException if this is exceeded\./g;
  for (const found of [unlimited, docstring])
    if (text.match(found)?.length !== 2) throw new Error(`the generator writes ${file} in another way`);
  const limited = text.replace(unlimited, '$1default=httpx.Timeout(40.0),');
  writeFileSync(file, limited.replace(docstring, '$& It is 40 s by default; None waits without end.'));
}

/** Keeps the key out of what a client is printed as, which logs and reports of errors contain. */
function hideKey(file: string): void {
  const text = readFileSync(file, 'utf8');
  const shown = [
    ['    token: str\n', '    token: str = field(repr=False)\n'],
    ['kw_only=True, alias="headers")', 'kw_only=True, alias="headers", repr=False)'],
  ] as const;
  for (const [found] of shown)
    if (!text.includes(found)) throw new Error(`the generator writes ${file} in another way`);
  writeFileSync(
    file,
    shown.reduce((hidden, [found, instead]) => hidden.replaceAll(found, instead), text),
  );
}

/** Lets an absent field be printed as `UNSET`, as programs write it. */
function nameUnset(file: string): void {
  const text = readFileSync(file, 'utf8');
  const found = 'class Unset:\n';
  if (!text.includes(found)) throw new Error(`the generator writes ${file} in another way`);
  const named = `${found}    def __repr__(self) -> str:\n        return "UNSET"\n\n`;
  writeFileSync(file, text.replace(found, named));
}

function generatePython(dist: string, document: string): void {
  const generator = findTool('openapi-python-client');
  say('Generating from openapi.json, which takes about a minute.');
  const settings = ['--config', join(here, 'python/config.yml'), '--meta', 'none'];
  const places = ['--path', document, '--output-path', join(dist, 'generated')];
  run(generator, ['generate', ...settings, ...places], dist);
  cpSync(join(dist, 'generated'), join(dist, 'group_payments'), { recursive: true });
  rmSync(join(dist, 'generated'), { recursive: true });
  limitTime(join(dist, 'group_payments/client.py'));
  hideKey(join(dist, 'group_payments/client.py'));
  nameUnset(join(dist, 'group_payments/types.py'));
  const project = join(dist, 'pyproject.toml');
  writeFileSync(
    project,
    readFileSync(project, 'utf8').replace('version = "0.0.0"', `version = "${version}"`),
  );
}

function generateGo(dist: string, document: string): void {
  const generator = findTool('oapi-codegen');
  say('Generating from openapi.json.');
  run(generator, ['-config', join(here, 'go/config.yaml'), document], dist);
}

/** Returns what writes a client: what is by hand is copied, the rest generated. */
function writeClient(
  language: string,
  o: { generate: (dist: string, document: string) => void; tests: string; settings: string },
) {
  return (dist: string): void => {
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    cpSync(join(here, language), dist, { recursive: true });
    rmSync(join(dist, o.settings));
    copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
    copyFileSync(join(here, 'vectors.json'), join(dist, o.tests, 'vectors.json'));
    const document = writeDescription(dist);
    o.generate(dist, document);
    rmSync(document);
  };
}

const writeWorkspace = (folder: string) => (dist: string) =>
  run(process.execPath, [join(folder, 'package.ts'), dist], root);

const client = join(root, 'libs/client');
const cli = join(root, 'libs/cli');
const goModule = 'github.com/group-payments/client-go';
const packages: Readonly<Record<string, Package>> = {
  typescript: {
    source: client,
    dist: join(client, 'dist'),
    write: writeWorkspace(client),
    use: (dist) => [`npm install ${dist}`],
  },
  cli: {
    source: cli,
    dist: join(cli, 'dist'),
    write: writeWorkspace(cli),
    use: (dist) => [`npm install --global ${dist}`],
  },
  python: {
    source: join(here, 'python'),
    dist: join(here, 'dist/python'),
    write: writeClient('python', { generate: generatePython, tests: 'tests', settings: 'config.yml' }),
    use: (dist) => [`pip install ${dist}`],
  },
  go: {
    source: join(here, 'go'),
    dist: join(here, 'dist/go'),
    write: writeClient('go', { generate: generateGo, tests: '.', settings: 'config.yaml' }),
    use: (dist) => [`go mod edit -require ${goModule}@v0.0.0 -replace ${goModule}=${dist}`, 'go mod tidy'],
  },
};

/** Returns whether a folder may be written anew: it is not there, is empty, or has the same package. */
function isReplaceable(dist: string, source: string): boolean {
  if (!existsSync(dist)) return true;
  if (!statSync(dist).isDirectory()) return false;
  if (readdirSync(dist).length === 0) return true;
  const readTitle = (folder: string) => readFileSync(join(folder, 'README.md'), 'utf8').split('\n')[0];
  return existsSync(join(dist, 'README.md')) && readTitle(dist) === readTitle(source);
}

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(64);
}

const [name = '', folder, ...more] = process.argv.slice(2);
const chosen = Object.hasOwn(packages, name) ? packages[name] : undefined;
if (!chosen || more.length > 0) stop(`usage: npm run clients -- ${Object.keys(packages).join('|')} [folder]`);
const dist = resolve(folder ?? chosen.dist);
if (!isReplaceable(dist, chosen.source)) stop(`${dist} has something else in it: name an empty folder.`);
say(`Writing ${name} to ${dist}. The first time takes some minutes, since its tools are installed.`);
chosen.write(dist);
say(`Wrote ${dist}. To use it, in your own project:\n\n  ${chosen.use(dist).join('\n  ')}\n`);
