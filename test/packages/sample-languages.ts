import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/stack.ts';
import { packClient } from './project.ts';

const run = promisify(execFile);
/** A sample that does not end is stopped before the test is, which would leave it running. */
const QUIET = { maxBuffer: 2 ** 26, timeout: 300_000 };

export type Sample = { readonly operation: string; readonly source: string };

/** How all samples of a language are run in one process, one after the other. */
export type SampleLanguage = {
  /** The name of its samples in the document. */
  readonly label: string;
  /** Programs of .configs/tools.sh; the first runs the samples. */
  readonly tools: readonly string[];
  /** Rejects with what is printed when a sample fails. */
  run(tool: string, folder: string, samples: readonly Sample[], env: NodeJS.ProcessEnv): Promise<void>;
};

const buildClient = (language: string, folder: string) =>
  run(process.execPath, [join(root, 'libs/clients/package.ts'), language, folder], QUIET);

const curlIn = (shell: string): SampleLanguage => ({
  label: 'curl',
  tools: [],
  async run(_tool, folder, samples, env) {
    const file = join(folder, 'samples.sh');
    // An address with no answer ends the script; so does what the shell cannot read.
    writeFileSync(file, samples.map(({ source }) => source).join('\n\n'));
    await run(shell, ['-eu', file], { ...QUIET, env });
  },
});

const typescript: SampleLanguage = {
  label: 'TypeScript',
  tools: [],
  async run(_tool, _folder, samples, env) {
    const client = packClient();
    try {
      const project = client.openProject('typescript');
      for (const { operation, source } of samples)
        writeFileSync(join(project.folder, `${operation}.ts`), `export {};\n${source}\n`);
      const all = samples.map(({ operation }) => `await import('./${operation}.js');\n`).join('');
      writeFileSync(join(project.folder, 'samples.ts'), `${all}export {};\n`);
      await project.run(process.execPath, [
        join(root, 'node_modules/typescript/bin/tsc'),
        ...['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
        ...['--target', 'es2022', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')],
        ...['--module', 'nodenext', '--outDir', 'out', 'samples.ts'],
      ]);
      await project.run(process.execPath, ['out/samples.js'], env as Record<string, string>);
    } finally {
      client.remove();
    }
  },
};

const python: SampleLanguage = {
  label: 'Python',
  tools: ['python-client', 'openapi-python-client'],
  async run(tool, folder, samples, env) {
    const [built, installed] = [join(folder, 'built'), join(folder, 'installed')];
    await buildClient('python', built);
    const offline = ['--no-index', '--no-deps', '--no-build-isolation', '--disable-pip-version-check'];
    await run(tool, ['-m', 'pip', 'install', '--quiet', ...offline, '--target', installed, built]);
    for (const { operation, source } of samples) writeFileSync(join(folder, `${operation}.py`), source);
    const files = samples.map(({ operation }) => join(folder, `${operation}.py`));
    const program = 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file)';
    await run(tool, ['-c', program, ...files], { ...QUIET, env: { ...env, PYTHONPATH: installed } });
  },
};

const go: SampleLanguage = {
  label: 'Go',
  tools: ['go', 'oapi-codegen'],
  async run(tool, folder, samples, env) {
    const [built, shop] = [join(folder, 'built'), join(folder, 'shop')];
    await buildClient('go', built);
    mkdirSync(shop);
    const client = 'github.com/group-payments/client-go';
    const lines = [
      'module example.com/shop',
      'go 1.24.0',
      `require ${client} v1.0.0`,
      `replace ${client} => ${built}`,
    ];
    writeFileSync(join(shop, 'go.mod'), `${lines.join('\n\n')}\n`);
    // A program has one package main: each sample becomes a package that it calls.
    for (const { operation, source } of samples) {
      mkdirSync(join(shop, operation));
      const text = source
        .replace('package main', `package ${operation}`)
        .replace('func main()', 'func Run()');
      writeFileSync(join(shop, operation, 'sample.go'), text);
    }
    const imports = samples.map(({ operation }) => `import "example.com/shop/${operation}"\n`).join('');
    const calls = samples.map(({ operation }) => `\t${operation}.Run()\n`).join('');
    writeFileSync(join(shop, 'main.go'), `package main\n\n${imports}\nfunc main() {\n${calls}}\n`);
    await run(tool, ['mod', 'tidy'], { cwd: shop });
    await run(tool, ['vet', './...'], { ...QUIET, cwd: shop });
    await run(tool, ['run', '.'], { ...QUIET, cwd: shop, env });
  },
};

/** Everything that runs samples. Debian's `sh` is dash, and a reader may have either shell. */
export const sampleLanguages: Readonly<Record<string, SampleLanguage>> = {
  'curl-in-sh': curlIn('sh'),
  'curl-in-bash': curlIn('bash'),
  TypeScript: typescript,
  Python: python,
  Go: go,
};
