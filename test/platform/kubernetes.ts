import { resolve } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './helm.ts';

/** Where the models of a group come from; everything that is Kubernetes' own is in the first. */
const PACKAGES: readonly (readonly [string, string])[] = [
  ['keda.sh/', '@kubernetes-models/keda'],
  ['monitoring.coreos.com/', '@kubernetes-models/prometheus-operator'],
  ['gateway.networking.k8s.io/', '@kubernetes-models/gateway-api'],
  ['external-secrets.io/', '@kubernetes-models/external-secrets'],
];

/** The module of an object's kind, made from the published schemas of Kubernetes or of the operator. */
function findModule({ apiVersion, kind }: Manifest): string {
  const own = PACKAGES.find(([group]) => apiVersion.startsWith(group));
  return `${own?.[1] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

type Model = new (data: unknown) => { validate(): void };

/** A sentence for each object whose schema it breaks: what is missing, of the wrong type or out of range. */
export async function schemaFaults(objects: readonly Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  for (const object of objects) {
    const models = (await import(findModule(object))) as Record<string, Model>;
    const Kind = models[object.kind];
    if (!Kind) throw new Error(`no schema for ${object.apiVersion} ${object.kind}`);
    try {
      new Kind(object).validate();
    } catch (error) {
      faults.push(`${object.kind}/${object.metadata.name}: ${String(error)}`);
    }
  }
  return faults;
}

/**
 * A sentence for each field that no schema knows, which a cluster would drop or refuse. The models' types say which
 * exist, and the compiler finds the others when the objects are written down as literals.
 */
export function unknownFields(objects: readonly Manifest[]): string[] {
  const file = resolve(import.meta.dirname, 'objects-as-rendered.ts');
  const lines = objects.map(
    (object, n) =>
      `import type { I${object.kind} as K${n} } from '${findModule(object)}'; const o${n}: K${n} = ${JSON.stringify(object)};`,
  );
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), target) : getSourceFile(name, target);
  const program = ts.createProgram([file], options, host);
  return program.getSemanticDiagnostics(program.getSourceFile(file)).map((found) => {
    const { line } = program.getSourceFile(file)!.getLineAndCharacterOfPosition(found.start ?? 0);
    const object = objects[line];
    const sentence = ts.flattenDiagnosticMessageText(found.messageText, ' ');
    return `${object?.kind}/${object?.metadata.name}: ${sentence}`;
  });
}
