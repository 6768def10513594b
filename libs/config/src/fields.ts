/** The result of reading a field's text: the value, or a fault that does not repeat the text. */
export type Parsed<T> = { readonly value: T } | { readonly fault: string };

/** One setting: its description, its parser and its form for display. */
export type Field<T> = {
  readonly describe: string;
  /** Words for the documentation, for example `integer 1 to 65535`. */
  readonly kind: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** The value when the environment has none. */
  readonly fallback?: T;
  parse(text: string): Parsed<T>;
};

type Described<T> = { readonly describe: string; readonly default?: T };

/** Any text, or one that matches `pattern` as a whole. */
export function text(o: Described<string> & { readonly pattern?: RegExp }): Field<string> {
  const whole = o.pattern && entirely(o.pattern);
  return field(o, whole ? `text matching \`${o.pattern.source}\`` : 'text', (value) =>
    whole?.test(value) === false ? { fault: `must match ${whole.source}` } : { value },
  );
}

/**
 * A secret: never has a default, never appears in a fault, a log line or the documentation. May have to match `pattern`
 * as a whole.
 */
export function secret(o: {
  readonly describe: string;
  readonly minLength?: number;
  readonly pattern?: RegExp;
}): Field<string> {
  const { minLength = 1 } = o;
  const whole = o.pattern && entirely(o.pattern);
  const kind = minLength > 1 ? `secret, at least ${minLength} characters` : 'secret';
  const parse = (value: string): Parsed<string> => {
    if (value.length < minLength) return { fault: `must have at least ${minLength} characters` };
    return whole?.test(value) === false ? { fault: `must match ${whole.source}` } : { value };
  };
  return { ...field({ describe: o.describe }, kind, parse), isSecret: true };
}

/** A whole number within `min` and `max`, both included. */
export function integer(
  o: Described<number> & { readonly min: number; readonly max: number },
): Field<number> {
  const range = `${o.min} to ${o.max}`;
  return field(o, `integer ${range}`, (raw) => {
    const value = /^-?\d{1,16}$/.test(raw) ? Number(raw) : NaN;
    return value >= o.min && value <= o.max ? { value } : { fault: `must be an integer from ${range}` };
  });
}

/** A fraction within `min` and `max`, both included, for ratios such as a sampling rate. */
export function decimal(
  o: Described<number> & { readonly min: number; readonly max: number },
): Field<number> {
  const range = `${o.min} to ${o.max}`;
  return field(o, `number ${range}`, (raw) => {
    const value = /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : NaN;
    return value >= o.min && value <= o.max ? { value } : { fault: `must be a number from ${range}` };
  });
}

/** `true` or `false`, also written `1` or `0`. */
export function flag(o: { readonly describe: string; readonly default: boolean }): Field<boolean> {
  return field(o, '`true` or `false`', (raw) => {
    if (raw === 'true' || raw === '1') return { value: true };
    if (raw === 'false' || raw === '0') return { value: false };
    return { fault: 'must be true or false' };
  });
}

/** An absolute address, of one of `protocols` (`['http:', 'https:']`) where given; kept as written. */
export function url(o: Described<string> & { readonly protocols?: readonly string[] }): Field<string> {
  const kind = o.protocols ? `address (${o.protocols.join(', ')})` : 'address';
  return field(o, kind, (value) => {
    const parsed = URL.parse(value);
    if (!parsed) return { fault: 'must be an absolute address' };
    if (o.protocols?.includes(parsed.protocol) === false) {
      return { fault: `must be an address of ${o.protocols.join(' or ')}` };
    }
    return { value };
  });
}

const PAIR = /^\s*([\w.!#$&'*+^`|~/-]+)\s*=(.*)$/;
const NO_CONTROLS = /\P{Cc}*/u;

/**
 * Pairs `name=value` separated by commas, the values percent-encoded. Each value may have to match `values` as a whole;
 * without it, it has no control characters. Secret pairs are hidden as a whole.
 */
export function pairs(o: {
  readonly describe: string;
  readonly values?: RegExp;
  readonly isSecret?: boolean;
}): Field<Readonly<Record<string, string>>> {
  const { describe, values = NO_CONTROLS, isSecret = false } = o;
  const whole = entirely(values);
  const read = (pair: string): readonly [string, string] | undefined => {
    const [, name, encoded = ''] = PAIR.exec(pair) ?? [];
    const value = decodePercent(encoded.trim());
    return name !== undefined && value !== undefined && whole.test(value) ? [name, value] : undefined;
  };
  const kind = `${isSecret ? 'secret, ' : ''}pairs name=value, separated by commas`;
  const described = field<Readonly<Record<string, string>>>({ describe }, kind, (raw) => {
    const found = raw.split(',').map(read);
    const known = found.filter((pair) => pair !== undefined);
    return known.length === found.length
      ? { value: Object.fromEntries(known) }
      : { fault: 'must be pairs name=value, percent-encoded and separated by commas' };
  });
  return { ...described, isSecret };
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** One of the listed words. */
export function choice<const V extends string>(values: readonly V[], o: Described<NoInfer<V>>): Field<V> {
  const kind = values.map((value) => `\`${value}\``).join(', ');
  return field<V>(o, kind, (raw) => {
    const value = values.find((candidate) => candidate === raw);
    return value === undefined ? { fault: `must be one of ${values.join(', ')}` } : { value };
  });
}

/** Lets a setting be absent; its value is then undefined. */
export function optional<T>(inner: Field<T>): Field<T | undefined> {
  return { ...inner, isRequired: false };
}

/** Drops flags that remember a position: with them every second test would fail. */
function entirely(pattern: RegExp): RegExp {
  return new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gy]/g, ''));
}

function field<T>(o: Described<T>, kind: string, parse: (text: string) => Parsed<T>): Field<T> {
  const { describe, default: fallback } = o;
  const shared = { describe, kind, isSecret: false, parse };
  return fallback === undefined
    ? { ...shared, isRequired: true }
    : { ...shared, isRequired: false, fallback };
}
