import type { JsonObject } from '../json.ts';
import { readCall, type Call } from './call.ts';
import { writeCurl } from './curl.ts';
import { writeGo } from './go.ts';
import { writePython } from './python.ts';
import { writeTypeScript } from './typescript.ts';

/** A sample as other readers of OpenAPI documents know it, too. */
export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string };

type Language = Omit<CodeSample, 'source'> & { readonly write: (call: Call) => string };

const languages: readonly Language[] = [
  { lang: 'Shell', label: 'curl', write: writeCurl },
  { lang: 'TypeScript', label: 'TypeScript', write: writeTypeScript },
  { lang: 'Python', label: 'Python', write: writePython },
  { lang: 'Go', label: 'Go', write: writeGo },
];

/** Returns an operation of the document with a sample in each language. */
export function addCodeSamples(
  place: { readonly method: string; readonly path: string },
  operation: JsonObject,
): JsonObject {
  const call = readCall(place, operation);
  const samples = languages.map(({ lang, label, write }): CodeSample => ({
    lang,
    label,
    source: write(call),
  }));
  return { ...operation, 'x-codeSamples': samples };
}
