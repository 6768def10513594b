import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chart, layOver, processes, type Known } from '../processes.ts';

type Image = { readonly image: string };
type Values = {
  readonly urls: Readonly<Record<string, string>>;
  readonly bundled: { readonly postgres: Image; readonly nats: Image };
};

const read = (file: string) => parse(readFileSync(join(chart, file), 'utf8')) as Record<string, unknown>;

/** The values of the chart's quick start, which the compose file is on one machine. */
export const values = layOver(read('examples/quickstart.yaml'), read('values.yaml')) as Values;

/** Returns a process as the chart knows it. Throws for a name that the chart does not have. */
export function findProcess(name: string): Known {
  const process = processes[name];
  if (!process) throw new Error(`the chart has no process ${name}`);
  return process;
}

const callbackProcesses = Object.keys(processes)
  .filter((name) => processes[name]?.hearsSandbox)
  .toSorted();

/** Returns the address at which browsers reach a host of the chart, such as `checkout`. */
function findUrl(host: string): string {
  const url = values.urls[host];
  if (url === undefined) throw new Error(`the quick start has no address for ${host}`);
  return url;
}

/** As the chart does on localhost: each adapter has a port of its own, counted from that of all callbacks. */
function buildAdapterUrl(name: string): string {
  const url = new URL(findUrl('callbacks'));
  url.port = String(Number(url.port) + callbackProcesses.indexOf(name));
  return url.origin;
}

/** Returns the port of the machine at which browsers reach a process; undefined for one that no browser calls. */
export function findPublishedPort(name: string): string | undefined {
  const { public: door } = findProcess(name);
  if (!door) return undefined;
  if (door.host !== 'callbacks') return new URL(findUrl(door.host)).port;
  const hasReturns = door.paths.some((path) => path.startsWith('/returns/'));
  return hasReturns ? new URL(buildAdapterUrl(name)).port : undefined;
}

type Rule = readonly [expression: RegExp, write: (...found: string[]) => string];

/** The expressions that templates of settings have. A container is reached by the name of its process alone. */
const RULES: readonly Rule[] = [
  [/\{\{ include "gp\.fullname" \. \}\}-/g, () => ''],
  [/\{\{ include "gp\.url" \(list \. "([a-z]+)"\) \}\}/g, (_all, host = '') => findUrl(host)],
  [/\{\{ include "gp\.adapterUrl" \(list \. "([a-z-]+)"\) \}\}/g, (_all, name = '') => buildAdapterUrl(name)],
  [
    /\{\{ if \.Values\.([\w.]+) \}\}([^{]*)\{\{ end \}\}/g,
    (_all, path = '', text = '') => (look(path) ? text : ''),
  ],
  [
    /\{\{ ternary "([^"]*)" \.Values\.([\w.]+) \.Values\.([\w.]+) \}\}/g,
    (_all, text = '', otherwise = '', path = '') => (look(path) ? text : String(look(otherwise))),
  ],
  [/\{\{ \.Values\.([\w.]+) \}\}/g, (_all, path = '') => String(look(path))],
];

/**
 * Returns a setting of the chart as the quick start has it. Throws where the template has an expression that no rule
 * knows.
 */
export function renderSetting(template: string): string {
  const text = RULES.reduce((done, [expression, write]) => done.replace(expression, write), template);
  if (/\{\{|\}\}/.test(text)) throw new Error(`the compose file has no rule for the template ${template}`);
  return text;
}

/** Returns the value at a path such as `mail.mailbox`. */
function look(path: string): string | boolean {
  const found = path
    .split('.')
    .reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], values);
  if (typeof found !== 'string' && typeof found !== 'boolean')
    throw new Error(`the quick start has no value ${path}`);
  return found;
}
