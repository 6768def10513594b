import { inspect } from 'node:util';
import type { Field, Parsed } from './fields.ts';
import { toVariableName, type ConfigSchema, type ConfigShape } from './schema.ts';

const hidden = '[secret]';

/** Every fault of a configuration; a process that catches it prints the message and exits with `exitCode`. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  /** EX_CONFIG of sysexits: starting again without changing the settings is pointless. */
  readonly exitCode = 78;

  constructor(faults: readonly string[]) {
    super(
      `the configuration has ${faults.length} fault(s):\n${faults.map((fault) => `- ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads and checks the whole environment at once, and returns a frozen configuration that hides its secrets (and
 * passwords inside addresses) when it is logged or serialised. An empty variable counts as absent.
 *
 * Throws a ConfigError that lists every fault and repeats no value.
 */
export function readConfig<C>(schema: ConfigSchema<C>, env: NodeJS.ProcessEnv): C {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [key, field] of Object.entries(schema.shape)) {
    const parsed = readField(field, env[toVariableName(key)]);
    if ('fault' in parsed) faults.push(`${toVariableName(key)} ${parsed.fault}`);
    else values[key] = parsed.value;
  }
  if (faults.length > 0) throw new ConfigError(faults);

  const config = discreet(schema.shape, values) as C;
  const conflicts = schema.crossCheck(config);
  if (conflicts.length > 0)
    throw new ConfigError(conflicts.map((fault) => censored(schema.shape, values, fault)));
  return config;
}

function readField(field: Field<unknown>, raw: string | undefined): Parsed<unknown> {
  if (raw !== undefined && raw !== '') return field.parse(raw);
  return field.isRequired ? { fault: `is required (${field.describe})` } : { value: field.fallback };
}

/** Freezes the values and gives them a printed form without secrets; reading and spreading are unchanged. */
function discreet(shape: ConfigShape, values: Record<string, unknown>): object {
  const shown = () =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        shape[key]?.isSecret ? hidden : withoutPassword(value),
      ]),
    );
  Object.defineProperty(values, 'toJSON', { value: shown });
  Object.defineProperty(values, inspect.custom, { value: shown });
  return Object.freeze(values);
}

function withoutPassword(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, `$1:${hidden}@`)
    : value;
}

// A cross-check writes its own sentences, which might quote the values it compared.
function censored(shape: ConfigShape, values: Record<string, unknown>, fault: string): string {
  const secrets = Object.keys(values).flatMap((key) => {
    const value = values[key];
    return shape[key]?.isSecret && typeof value === 'string' && value !== '' ? [value] : [];
  });
  return secrets.reduce((sentence, value) => sentence.replaceAll(value, hidden), fault);
}
