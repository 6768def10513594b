import { AppError } from '@gp/errors';
import { describe, expect, it } from '@jest/globals';
import { createLogger, type LogFields, type LogLevel, type Logger } from './logger.ts';
import { startTelemetry } from './telemetry.ts';
import { span } from './tracing.ts';

type Line = Record<string, unknown> & { error?: Record<string, unknown> };

function logTo(level: LogLevel = 'info'): { log: Logger; lines: Line[]; text: () => string } {
  const written: string[] = [];
  const lines: Line[] = [];
  const stream = {
    write(text: string) {
      written.push(text);
      lines.push(JSON.parse(text) as Line);
    },
  };
  return { log: createLogger({ service: 'ledger', level, stream }), lines, text: () => written.join('') };
}

/** Fields that a caller without our types could pass. */
const untyped = (fields: object) => fields as LogFields;

describe('a log line', () => {
  it('a log line is one JSON object with time, level, service and message', () => {
    const { log, lines, text } = logTo();
    log.info({ group_id: 'g1', count: 3 }, 'group created');
    expect(text()).toMatch(/^\{.*\}\n$/);
    expect(lines).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: 'info',
        service: 'ledger',
        group_id: 'g1',
        count: 3,
        msg: 'group created',
      },
    ]);
  });

  it('a log line carries the ids of the span in which it was written, sampled or not', async () => {
    const telemetry = await startTelemetry({ service: 'ledger', sampler: { name: 'always_off', ratio: 0 } });
    const { log, lines } = logTo();
    await span('outer', {}, async () => {
      log.info('one');
      await span('inner', {}, async () => log.info('two'));
    });
    await telemetry.close();
    expect(lines[0]?.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(lines[1]?.trace_id).toBe(lines[0]?.trace_id);
    expect(lines[1]?.span_id).not.toBe(lines[0]?.span_id);
  });

  it('a log line about one caller of a batch carries the trace of that caller', () => {
    const { log, lines } = logTo();
    log.info({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, 'answered');
    expect(lines[0]).toMatchObject({ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) });
    expect(lines[0]).not.toHaveProperty('traceparent');
  });

  it('a log line below the level is not written', () => {
    const { log, lines } = logTo('warn');
    log.info('quiet');
    log.debug('quiet');
    log.warn('loud');
    expect(lines.map((line) => line.msg)).toEqual(['loud']);
  });

  it('a log line of a child carries the fields of its parents, held to the same list', () => {
    const { log, lines } = logTo();
    log.child({ group_id: 'g1', ...untyped({ customer: 'Anna' }) }).info({ slot_id: 's1' }, 'held');
    expect(lines[0]).toMatchObject({ group_id: 'g1', slot_id: 's1' });
    expect(lines[0]).not.toHaveProperty('customer');
  });
});

describe('what must not be logged', () => {
  it('a field that is not on the list is dropped, however deep', () => {
    const { log, text } = logTo();
    const sentinel = 'do-not-log-me';
    const names = [
      'body',
      'payload',
      'card',
      'number',
      'email',
      'customer',
      'authorization',
      'headers',
      'toJSON',
    ];
    for (const name of names) log.info(untyped({ [name]: sentinel }), 'line');
    log.info(untyped({ reason: { nested: sentinel }, outcome: [{ deeper: sentinel }] }), 'line');
    log.info(untyped({ ['__proto__']: { reason: sentinel }, constructor: sentinel }), 'line');
    expect(text()).not.toContain(sentinel);
  });

  it.each([
    ['gateway ciphertext', 'ev:RFVC:abc+/=:def:$'],
    ['a secret key', 'sk_test_51abcDEF'],
    ['a live secret key', 'sk_live_51abcDEF'],
    ['a restricted key', 'rk_live_51abcDEF'],
    ['a webhook secret', 'whsec_MfKQ9r8G/YqrTwjUPD8='],
    ['a webhook secret in capitals', 'WHSEC_MFKQ9R8G/YQRTWJUPD8='],
    ['a card number', '4242424242424242'],
    ['a card number of another brand', '5555555555554444'],
    ['a 15-digit card number', '378282246310005'],
    ['a card number that begins with 2', '2720992111270002'],
    ['a client secret', 'pi_3MtwBw_secret_YrKJUKribcBjcG8HVh'],
    ['a token', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln'],
    ['an e-mail', 'anna.payer+1@mail.example.com'],
  ])(
    'a value that must not be logged is masked when an allowed field, a message or an error holds %s',
    (_name, secret) => {
      const { log, text } = logTo('debug');
      log.info({ reason: secret }, 'field');
      log.info({ reason: `before ${secret}, after`, applied: [secret] }, 'inside a text');
      log.info({ err: new AppError('validation_error', { message: `bad ${secret}` }) }, 'error');
      log.info(`message ${secret}`);
      expect(text()).not.toContain(secret);
      expect(text()).toContain('[masked]');
    },
  );

  it('a value that must not be logged is masked when it is a number', () => {
    const { log, text } = logTo();
    log.info({ count: 4242424242424242 }, 'number');
    log.info({ count: 4242424242424242n }, 'bigint');
    expect(text()).not.toContain('4242424242424242');
  });

  it('the password inside an address is masked', () => {
    const { log, text } = logTo();
    log.info({ reason: 'postgres://ledger:hunter2@127.0.0.1/gp' }, 'address');
    expect(text()).not.toContain('hunter2');
    expect(text()).toContain('127.0.0.1/gp');
  });

  it('masking leaves ids, times and codes readable', () => {
    const { log, lines } = logTo();
    const fields = {
      group_id: '0198f0a0-1234-7000-8000-424242424242',
      request_id: 'req_4f5234567890123e54ad4441',
      due_at: new Date('2030-01-02T03:04:05.006Z'),
      duration_ms: 12.5,
      route: '/v1/group-payments/:id',
      subject: 'evt.ledger.group.created.v1',
    };
    log.info(fields, 'group created');
    expect(lines[0]).toMatchObject({ ...fields, due_at: '2030-01-02T03:04:05.006Z' });
  });

  it('a secret cannot hide behind the length of a value', () => {
    const { log, text } = logTo();
    log.info({ reason: `${'x'.repeat(300)}4242424242424242` }, 'long');
    log.info({ reason: `${'x'.repeat(250)}4242424242424242` }, 'cut in the middle of the number');
    expect(text()).not.toMatch(/\D4242/);
  });
});

describe('an error in a log line', () => {
  const stackless = { name: expect.any(String), at: expect.any(String) };

  it('an error of ours is logged with code, message and where it was thrown, and its cause', () => {
    const { log, lines } = logTo();
    const cause = Object.assign(new Error('Key (email)=(anna@mail.example) already exists'), {
      code: '23505',
      constraint: 'one_group_per_command',
    });
    log.error({ err: new AppError('conflict', {}, { cause }) }, 'could not create');
    expect(lines[0]?.error).toMatchObject({
      name: 'AppError',
      code: 'conflict',
      message: expect.any(String),
    });
    expect(lines[0]?.error?.cause).toEqual({
      ...stackless,
      code: '23505',
      constraint: 'one_group_per_command',
    });
    expect(lines[0]?.error?.at).toContain('logger.test.ts');
  });

  it('an error of a driver or a parser is logged without its message, which quotes what it read', () => {
    const { log, text, lines } = logTo('debug');
    const parse = () => JSON.parse('{"name": Anna}') as unknown;
    const bigint = () => BigInt('Anna');
    for (const fail of [parse, bigint]) {
      try {
        fail();
      } catch (err) {
        log.error({ err }, 'failed');
      }
    }
    log.error({ err: new Error('invalid input syntax for type uuid: "Anna"') }, 'failed');
    expect(lines).toHaveLength(3);
    expect(text()).not.toContain('Anna');
  });

  it('an error of a system call is logged with the call', () => {
    const { log, lines } = logTo();
    const refused = { code: 'ECONNREFUSED', syscall: 'connect', errno: -111 };
    log.error({ err: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), refused) }, 'failed');
    expect(lines[0]?.error).toMatchObject({
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
    });
  });

  it('an error is logged with its stack only at debug, and there without the message', () => {
    const [info, debug] = [logTo('info'), logTo('debug')];
    const err = new Error('Anna');
    info.log.error({ err }, 'failed');
    debug.log.error({ err }, 'failed');
    expect(info.lines[0]?.error).toEqual(stackless);
    expect(debug.lines[0]?.error?.stack).toEqual(
      expect.arrayContaining([expect.stringMatching(/logger\.test/)]),
    );
    expect(debug.text()).not.toContain('Anna');
  });

  it('an error in a log line may be anything that was thrown', () => {
    const { log, lines } = logTo();
    for (const err of ['Anna', null, 7, { card: 'Anna' }]) log.error({ err }, 'failed');
    expect(lines.map((line) => line.error)).toEqual(
      ['string', 'object', 'number', 'object'].map((name) => ({ name })),
    );
  });

  it('an error whose cause is itself can be logged', () => {
    const { log, lines } = logTo();
    const err = new Error('loop');
    err.cause = err;
    log.error({ err }, 'failed');
    expect(lines).toHaveLength(1);
  });
});
