import { describe, expect, it } from '@jest/globals';
import { buildPermissions, openAccessCheck, type BusAccess } from './access.ts';

const access: BusAccess = {
  name: 'trial',
  serves: [{ subject: 'rpc.trial.a.b.v1' }],
  calls: [{ subject: 'rpc.other.a.b.v1' }],
  publishes: ['evt.trial.thing.told.v1.*'],
  consumes: [{ durable: 'd', stream: 'EVENTS', filters: ['evt.x.a.*.v1.*', 'evt.x.b.*.v1.*'] }],
  listens: ['note.x.y.z.v1'],
};

describe('the permissions of an identity', () => {
  it('an identity may do what it declares, read its own inboxes and its own consumers, and nothing else (M1)', () => {
    expect(buildPermissions(access)).toEqual({
      publish: {
        allow: [
          '$JS.ACK.EVENTS.d.>',
          '$JS.API.CONSUMER.CREATE.EVENTS.d.evt.x.*.*.v1.*',
          '$JS.API.CONSUMER.INFO.EVENTS.d',
          '$JS.API.CONSUMER.MSG.NEXT.EVENTS.d',
          '$JS.API.STREAM.INFO.COMMANDS',
          '$JS.API.STREAM.INFO.EVENTS',
          'evt.trial.thing.told.v1.*',
          'rpc.other.a.b.v1',
        ],
      },
      subscribe: { allow: ['_INBOX.trial.>', 'note.x.y.z.v1', 'rpc.trial.a.b.v1'] },
      allow_responses: { max: 1, expires: '11m' },
    });
  });

  it('an identity may change streams only where it owns them, and reply only where it serves (M1)', () => {
    const { publish, allow_responses } = buildPermissions({ name: 'owner', ownsStreams: true });
    expect(publish.allow).toContain('$JS.API.STREAM.CREATE.EVENTS');
    expect(publish.allow).not.toContain('$JS.API.STREAM.DELETE.EVENTS');
    expect(allow_responses).toBeUndefined();
  });
});

it('only an identity that serves operators may ask the ledger to verify a signature (Q66)', () => {
  const asks = ({ serves }: Pick<BusAccess, 'serves'>) =>
    buildPermissions({ ...access, ...(serves && { serves }) }).publish.allow.includes(
      'rpc.ledger.operators.verify.v1',
    );
  expect(asks({ serves: [{ subject: 'rpc.trial.a.b.v1', operator: 'read' }] })).toBe(true);
  expect(asks(access)).toBe(false);
});

it('a bus refuses what its service does not declare in development, too (M1)', () => {
  const check = openAccessCheck(access);
  expect(() => check('publishes', 'evt.trial.thing.told.v1.x')).not.toThrow();
  expect(() => check('calls', 'rpc.other.a.c.v1')).toThrow(
    'trial does not declare that it calls rpc.other.a.c.v1',
  );
  expect(() => openAccessCheck(undefined)('calls', 'rpc.other.a.c.v1')).not.toThrow();
});
