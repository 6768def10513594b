import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findTool } from '@gp/testing';
import { root } from '../support/stack.ts';

type Command = readonly [program: string, ...args: string[]];

/** A generator of clients with one of its languages. */
export type Generator = {
  readonly name: string;
  /** Programs of .configs/tools.sh that it needs. */
  readonly tools: readonly string[];
  /** Files that its compiler needs beside what is generated. */
  readonly files?: Readonly<Record<string, string>>;
  /** What generates and what compiles, in an empty folder. */
  commands(tools: Readonly<Record<string, string>>, document: string): readonly Command[];
};

const tsc = join(root, 'node_modules/typescript/bin/tsc');
const strictly = [
  '--ignoreConfig',
  '--strict',
  '--noEmit',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
];

/** Loads every module, which finds more than a compiler that looks at one file at a time. */
const IMPORT_ALL = [
  'import importlib, pkgutil, client',
  'modules = [m.name for m in pkgutil.walk_packages(client.__path__, "client.")]',
  'assert len(modules) > 100, modules',
  'any(importlib.import_module(name) is None for name in modules)',
].join('\n');

/** Another generator of Java with the same settings would do; these are those of its documentation. */
const openapiGenerator = (
  language: string,
  tools: readonly string[],
  o: { settings?: readonly string[]; compile: Generator['commands'] },
): Generator => ({
  name: `openapi-generator for ${language}`,
  tools: ['openapi-generator', ...tools],
  commands: (found, document) => [
    [
      found['openapi-generator'] ?? '',
      'generate',
      '-i',
      document,
      '-g',
      language,
      '-o',
      '.',
      ...(o.settings ?? []),
    ],
    ...o.compile(found, document),
  ],
});

export const generators: readonly Generator[] = [
  openapiGenerator('java', ['maven'], {
    compile: ({ maven = '' }) => [[maven, '-q', '-B', '-Dmaven.javadoc.skip=true', 'compile']],
  }),
  openapiGenerator('go', ['go'], {
    settings: ['--additional-properties', 'enumClassPrefix=true'],
    compile: ({ go = '' }) => [
      [go, 'mod', 'tidy'],
      [go, 'vet', '.'],
    ],
  }),
  openapiGenerator('typescript-fetch', [], {
    compile: () => [[process.execPath, tsc, ...strictly, '--lib', 'es2022,dom', 'index.ts']],
  }),
  {
    name: 'openapi-typescript',
    tools: ['openapi-typescript'],
    commands: (found, document) => [
      [process.execPath, found['openapi-typescript'] ?? '', document, '-o', 'api.d.ts'],
      [process.execPath, tsc, ...strictly, '--skipLibCheck', 'false', 'api.d.ts'],
    ],
  },
  {
    name: 'openapi-python-client',
    tools: ['openapi-python-client', 'python-client'],
    commands: (found, document) => [
      [
        found['openapi-python-client'] ?? '',
        ...'generate --meta none --output-path client --path'.split(' '),
        document,
      ],
      [found['python-client'] ?? '', '-c', IMPORT_ALL],
    ],
  },
  {
    name: 'oapi-codegen',
    tools: ['oapi-codegen', 'go'],
    files: {
      'go.mod': 'module example.com/client\n\ngo 1.24.0\n\nrequire github.com/oapi-codegen/runtime v1.8.0\n',
    },
    commands: (found, document) => [
      [
        found['oapi-codegen'] ?? '',
        '-generate',
        'types,client',
        '-package',
        'client',
        '-o',
        'client.go',
        document,
      ],
      [found['go'] ?? '', 'mod', 'tidy'],
      [found['go'] ?? '', 'vet', '.'],
    ],
  },
];

/** Returns the tools of a generator; undefined, after a line that says NOT RUN and why, where one cannot be had. */
export function findTools({ name, tools }: Generator): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const tool of tools) {
    const path = findTool(tool, `a client by ${name}`);
    if (path === undefined) return undefined;
    found[tool] = path;
  }
  return found;
}

/** What compilers say when they cannot reach the registry that has the libraries of the generated code. */
const OUT_OF_REACH = /Could not transfer artifact|Unknown host|dial tcp|no such host|module lookup disabled/;

/** Generates and compiles in an empty folder; throws what the compiler says when it refuses. */
export async function runGenerator(
  generator: Generator,
  o: { tools: Readonly<Record<string, string>>; document: string; folder: string },
): Promise<'compiled' | 'not run'> {
  for (const [name, text] of Object.entries(generator.files ?? {})) writeFileSync(join(o.folder, name), text);
  // oapi-codegen calls the Go that it finds by its name.
  const path = [...(o.tools['go'] ? [dirname(o.tools['go'])] : []), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path, GOTOOLCHAIN: 'local' };
  for (const [program, ...args] of generator.commands(o.tools, o.document)) {
    const options = { cwd: o.folder, env, maxBuffer: 2 ** 26 };
    try {
      await promisify(execFile)(program, args, options);
    } catch (error) {
      const said = describeFailure(error);
      if (!OUT_OF_REACH.test(said))
        throw new Error(`${generator.name}: ${said.slice(-6_000)}`, { cause: error });
      process.stderr.write(`NOT RUN: the compiler of ${generator.name}. ${said.slice(0, 300)}\n`);
      return 'not run';
    }
  }
  return 'compiled';
}

function describeFailure(error: unknown): string {
  const {
    stdout = '',
    stderr = '',
    message = '',
  } = error as { stdout?: string; stderr?: string; message?: string };
  return stdout + stderr === '' ? message : `${stdout}\n${stderr}`;
}
