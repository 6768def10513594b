import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { project } from './project-files.ts';

export type TypeCheck = {
  /** The tsconfig.json whose options count, relative to the project's root. */
  readonly tsconfig: string;
  /** Files to check, relative to the project's root. */
  readonly files: readonly string[];
  /** Texts that stand in for those on disk, by path. Nothing is written. */
  readonly changes: ReadonlyMap<string, string>;
};

/** Files with a type error after some files were changed in memory, relative to the project's root, sorted. */
export function listFilesWithTypeErrors({ tsconfig, files, changes }: TypeCheck): readonly string[] {
  const options = readOptions(join(project, tsconfig));
  const changed = new Map([...changes].map(([file, text]) => [join(project, file), text]));
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (path) => changed.get(path) ?? readFile(path);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (path) => changed.has(path) || fileExists(path);
  const roots = files.map((file) => join(project, file));
  const program = ts.createProgram(roots, options, host);
  const faulty = roots.filter((path) => {
    const source = program.getSourceFile(path);
    if (!source) throw new Error(`${path} is not part of the program`);
    return program.getSemanticDiagnostics(source).length > 0;
  });
  return faulty.map((path) => relative(project, path)).toSorted();
}

function readOptions(path: string): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile) as {
    config: unknown;
    error?: ts.Diagnostic;
  };
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path)).options;
}
