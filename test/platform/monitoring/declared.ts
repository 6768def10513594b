import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { processes, root } from '../processes.ts';

/** A metric as the code declares it, and the processes that export it. */
export type Declared = {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Whether its buckets name recorded traces, as exemplars. */
  readonly hasExemplars: boolean;
  readonly unit: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly services: readonly string[];
};

type Declaration = Omit<Declared, 'services'> & {
  readonly file: string;
  /** The function that has to be called for it to exist; undefined where loading the file is enough. */
  readonly definedIn: string | undefined;
};

const KINDS: Readonly<Record<string, Declared['kind']>> = {
  counter: 'counter',
  gauge: 'gauge',
  levels: 'gauge',
  histogram: 'histogram',
  tracedHistogram: 'histogram',
};

/** Every metric that some process exports, by name, read from the sources that the process loads. */
export function declaredMetrics(): Declared[] {
  const found = new Map<string, Declared>();
  for (const [service, { folder }] of Object.entries(processes)) {
    const loaded = filesLoadedFrom(join(root, folder, 'src/main.ts'));
    for (const { file: _file, definedIn: _definedIn, ...metric } of listExported(loaded)) {
      const before = found.get(metric.name);
      found.set(metric.name, { ...metric, services: [...(before?.services ?? []), service] });
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function listExported(files: readonly string[]): Declaration[] {
  const declarations = files.flatMap((file) => loadSource(file).declarations);
  return declarations.filter(
    ({ definedIn, file }) =>
      definedIn === undefined ||
      files.some((other) => other !== file && loadSource(other).called.has(definedIn)),
  );
}

function filesLoadedFrom(entry: string): string[] {
  const seen = new Set([entry]);
  for (const file of seen) for (const imported of loadSource(file).imports) seen.add(imported);
  return [...seen];
}

type Source = {
  readonly imports: readonly string[];
  readonly declarations: readonly Declaration[];
  readonly called: ReadonlySet<string>;
};
const sources = new Map<string, Source>();

function loadSource(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const read = readSource(file);
  sources.set(file, read);
  return read;
}

function readSource(file: string): Source {
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
  const imports: string[] = [];
  const declarations: Declaration[] = [];
  const called = new Set<string>();
  const visit = (node: ts.Node, within: string | undefined): void => {
    const specifier = readSpecifier(node);
    if (specifier !== undefined) imports.push(...resolveFile(specifier, file));
    if (ts.isCallExpression(node)) {
      const callee = readCallee(node);
      called.add(callee);
      const kind = KINDS[callee];
      const [definition] = node.arguments;
      if (kind && definition && ts.isObjectLiteralExpression(definition))
        declarations.push({
          ...findDefinition(definition, file),
          kind,
          hasExemplars: callee === 'tracedHistogram',
          file,
          definedIn: within,
        });
    }
    const inside = ts.isFunctionDeclaration(node) ? (within ?? node.name?.text) : within;
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  // Telemetry itself defines what it is given; only its requests and messages are metrics of its own.
  if (!file.endsWith('libs/telemetry/src/metrics.ts')) visit(tree, undefined);
  return { imports, declarations, called };
}

const readCallee = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

/** Modules that a node loads when the program runs: types are gone by then. */
function readSpecifier(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
    return readText(node.moduleSpecifier);
  if (ts.isExportDeclaration(node) && !node.isTypeOnly && node.moduleSpecifier)
    return readText(node.moduleSpecifier);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return node.arguments[0] && ts.isStringLiteral(node.arguments[0]) ? node.arguments[0].text : undefined;
  return undefined;
}

const libraries = new Map(
  globSync('libs/*/package.json', { cwd: root }).map((path) => {
    const name = path.split('/')[1] ?? '';
    const folder = join(root, 'libs', name);
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      exports?: Readonly<Record<string, unknown>>;
    };
    return [`@gp/${name}`, { folder, exports: exports ?? {} }];
  }),
);

function resolveFile(specifier: string, from: string): string[] {
  if (specifier.startsWith('.')) return specifier.endsWith('.ts') ? [join(dirname(from), specifier)] : [];
  const [scope, name, ...rest] = specifier.split('/');
  const library = libraries.get(`${scope}/${name}`);
  const target = library?.exports[['.', ...rest].join('/')];
  return library && typeof target === 'string' && target.endsWith('.ts')
    ? [join(library.folder, target)]
    : [];
}

function findDefinition(
  definition: ts.ObjectLiteralExpression,
  file: string,
): Pick<Declared, 'name' | 'help' | 'unit' | 'labels'> {
  const findValue = (key: string): ts.Expression | undefined =>
    definition.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && property.name.getText() === key ? property.initializer : [],
    )[0];
  const readWord = (key: string): string => {
    const value = findValue(key);
    if (!value || !ts.isStringLiteralLike(value))
      throw new Error(`${file}: ${key} of a metric is no text that can be read`);
    return value.text;
  };
  const labels = findValue('labels');
  return {
    name: readWord('name'),
    help: readWord('help'),
    unit: readWord('unit'),
    labels: labels && ts.isArrayLiteralExpression(labels) ? labels.elements.map(readText) : [],
  };
}

function readText(node: ts.Expression): string {
  if (!ts.isStringLiteralLike(node)) throw new Error(`${node.getText()} is no text that can be read`);
  return node.text;
}
