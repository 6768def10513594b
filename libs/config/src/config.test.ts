import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  choice,
  ConfigError,
  decimal,
  defineConfig,
  describeConfig,
  flag,
  integer,
  optional,
  pairs,
  readConfig,
  secret,
  text,
  url,
  toVariableName,
} from './index.ts';

const schema = defineConfig(
  {
    databaseUrl: url({ describe: 'Where the data is', protocols: ['postgres:'] }),
    keyPepper: secret({ describe: 'Pepper of the key digests', minLength: 8 }),
    httpPort: integer({ describe: 'Port of the API', default: 8080, min: 0, max: 65535 }),
    sampleRatio: decimal({ describe: 'Share of traces kept', default: 0.5, min: 0, max: 1 }),
    allowHttp: flag({ describe: 'Take http addresses', default: false }),
    logLevel: choice(['info', 'debug'], { describe: 'Verbosity', default: 'info' }),
    region: optional(text({ describe: 'Where this runs', pattern: /[a-z]+-\d/ })),
  },
  (c) =>
    c.allowHttp && c.region === 'prod-1' ? [`ALLOW_HTTP is for development, not for ${c.keyPepper}`] : [],
);
const sane = { DATABASE_URL: 'postgres://app:hunter2@db/gp', KEY_PEPPER: 'pepper-pepper' };

const listFaults = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('a configuration', () => {
  it('a configuration is read with its types, and with defaults where the environment is silent', () => {
    const config = readConfig(schema, {
      ...sane,
      HTTP_PORT: '0',
      ALLOW_HTTP: '1',
      LOG_LEVEL: 'debug',
      REGION: '',
    });
    expect({ ...config }).toEqual({
      databaseUrl: 'postgres://app:hunter2@db/gp',
      keyPepper: 'pepper-pepper',
      httpPort: 0,
      sampleRatio: 0.5,
      allowHttp: true,
      logLevel: 'debug',
      region: undefined,
    });
    const typed: { httpPort: number; logLevel: 'info' | 'debug'; region: string | undefined } = config;
    expect(typed.httpPort).toBe(0);
  });

  it('a configuration reports every fault at once', () => {
    const faults = listFaults({
      DATABASE_URL: 'mysql://db',
      KEY_PEPPER: 'short',
      HTTP_PORT: '65536',
      SAMPLE_RATIO: '1.1',
      ALLOW_HTTP: 'yes',
      LOG_LEVEL: 'loud',
      REGION: 'xeu-1x',
    });
    expect(faults).toEqual([
      'DATABASE_URL must be an address of postgres:',
      'KEY_PEPPER must have at least 8 characters',
      'HTTP_PORT must be an integer from 0 to 65535',
      'SAMPLE_RATIO must be a number from 0 to 1',
      'ALLOW_HTTP must be true or false',
      'LOG_LEVEL must be one of info, debug',
      'REGION must match ^(?:[a-z]+-\\d)$',
    ]);
  });

  it('a configuration names what is missing and its purpose; an empty variable is missing', () => {
    expect(listFaults({ DATABASE_URL: '' })).toEqual([
      'DATABASE_URL is required (Where the data is)',
      'KEY_PEPPER is required (Pepper of the key digests)',
    ]);
  });

  it.each(['1.5', '0x10', '1e3', ' 1', 'NaN', '99999999999999999999', '-1'])(
    'a configuration refuses %p as a port',
    (port) => {
      expect(listFaults({ ...sane, HTTP_PORT: port })).toEqual([
        'HTTP_PORT must be an integer from 0 to 65535',
      ]);
    },
  );

  it('a configuration checks combinations only when each field is right, and hides secrets a check quotes', () => {
    const unsafe = { ...sane, ALLOW_HTTP: 'true', REGION: 'prod-1' };
    expect(listFaults(unsafe)).toEqual(['ALLOW_HTTP is for development, not for [secret]']);
    expect(listFaults({ ...unsafe, HTTP_PORT: 'x' })).toEqual([
      'HTTP_PORT must be an integer from 0 to 65535',
    ]);
  });

  it('a fault never repeats a value', () => {
    const value = fc.stringMatching(/^[A-Z]{12,30}$/);
    const variables = ['DATABASE_URL', 'HTTP_PORT', 'SAMPLE_RATIO', 'ALLOW_HTTP', 'LOG_LEVEL', 'REGION'];
    fc.assert(
      fc.property(value, (leak) => {
        const faults = listFaults(Object.fromEntries(variables.map((name) => [name, leak])));
        expect(faults.length).toBeGreaterThanOrEqual(variables.length);
        expect(faults.join('\n')).not.toContain(leak);
      }),
    );
  });

  it('a faulty configuration ends the process with the exit code for it', () => {
    expect(new ConfigError(['A is required', 'B is wrong'])).toMatchObject({
      exitCode: 78,
      message: 'the configuration has 2 fault(s):\n- A is required\n- B is wrong',
    });
  });

  it('a configuration hides its secrets and the passwords in its addresses when it is logged or serialised', () => {
    const config = readConfig(schema, sane);
    for (const printed of [JSON.stringify(config), inspect(config), inspect({ nested: config })]) {
      expect(printed).toContain('8080');
      expect(printed).toContain('postgres://app:[secret]@db/gp');
      expect(printed).not.toMatch(/hunter2|pepper-pepper/);
    }
  });

  it('a configuration cannot be changed', () => {
    expect(Object.isFrozen(readConfig(schema, sane))).toBe(true);
  });
});

describe('the documentation of a configuration', () => {
  it('the documentation of a configuration is a table of every variable, its values, its default and its meaning', () => {
    expect(describeConfig(schema).split('\n')).toEqual([
      '| Variable | Value | Default | Meaning |',
      '| --- | --- | --- | --- |',
      '| `DATABASE_URL` | address (postgres:) | required | Where the data is |',
      '| `KEY_PEPPER` | secret, at least 8 characters | required | Pepper of the key digests |',
      '| `HTTP_PORT` | integer 0 to 65535 | `8080` | Port of the API |',
      '| `SAMPLE_RATIO` | number 0 to 1 | `0.5` | Share of traces kept |',
      '| `ALLOW_HTTP` | `true` or `false` | `false` | Take http addresses |',
      '| `LOG_LEVEL` | `info`, `debug` | `info` | Verbosity |',
      '| `REGION` | text matching `[a-z]+-\\d` | none | Where this runs |',
      '',
    ]);
  });

  it.each([
    ['databaseUrl', 'DATABASE_URL'],
    ['gatewayAUrl', 'GATEWAY_A_URL'],
    ['http2Port', 'HTTP2_PORT'],
    ['port', 'PORT'],
  ])('the setting %s is read from %s', (key, variable) => {
    expect(toVariableName(key)).toBe(variable);
  });
});

describe('pairs', () => {
  const shape = defineConfig({
    labels: optional(pairs({ describe: 'Labels' })),
    headers: optional(pairs({ describe: 'Headers', values: /[ -~]*/, isSecret: true })),
  });

  it('pairs are read with their values decoded, and the last of one name counts', () => {
    const config = readConfig(shape, {
      LABELS: 'team=pay%2C%20us, tier = gold ,team=é',
      HEADERS: 'a=b=c,d=',
    });
    expect([config.labels, config.headers]).toEqual([
      { team: 'é', tier: 'gold' },
      { a: 'b=c', d: '' },
    ]);
    expect(JSON.stringify(config)).not.toContain('b=c');
  });

  it.each(['production', 'a=1,', '=1', 'a=%', 'a=%0A', 'a b=1'])('pairs are never %j', (text) => {
    const rule = /LABELS must be pairs name=value, percent-encoded and separated by commas/;
    expect(() => readConfig(shape, { LABELS: text })).toThrow(rule);
    expect(() => readConfig(shape, { HEADERS: 'a=%C3%A9' })).toThrow(/HEADERS must be pairs/);
  });
});

describe('a secret with a pattern', () => {
  const shape = defineConfig({ sealKey: secret({ describe: 'Key', pattern: /[a-z]{4}(,[a-z]{4})*/g }) });

  it('a secret with a pattern matches as a whole, each time', () => {
    for (let time = 0; time < 3; time += 1) {
      expect(readConfig(shape, { SEAL_KEY: 'good,fine' }).sealKey).toBe('good,fine');
    }
  });

  it('a secret that does not match its pattern is refused without being repeated', () => {
    const read = () => readConfig(shape, { SEAL_KEY: 'good,sentinel' });
    expect(read).toThrow(/SEAL_KEY must match/);
    expect(read).not.toThrow(/sentinel/);
  });
});
