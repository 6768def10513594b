import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SettingsChanged } from '@gp/contracts';
import { upsertSettings } from '@gp/outbox';
import { checkoutUrl, createBody } from './support/edge.ts';
import { useEdge } from './support/shared-edge.ts';

const shared = useEdge();

const GROUPS = '/v1/group-payments';
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const create = (organiser?: unknown) => shared.edge.post(GROUPS, createBody({ organiser }));
const idOf = (body: Readonly<Record<string, unknown>>): string =>
  (body['group_payment'] as { id: string }).id;

describe('a group payment with an organiser', () => {
  it('a creation that asks for an organiser is answered with the link and the rights, and reads and lists show them (Q83)', async () => {
    const may = ['remind', 'cancel'];
    const { status, body } = await create({ may });
    expect(status).toBe(201);
    const organiser_url = expect.stringMatching(new RegExp(`^${checkoutUrl}/o/ot_[0-9a-f]{32}$`));
    const shown = { organiser_url, group_payment: { organiser: { may, latest_expires_at: null } } };
    expect(body).toMatchObject(shown);
    expect((await shared.edge.get(`${GROUPS}/${idOf(body)}`)).body).toMatchObject(shown);
    const { group_payments } = (await shared.edge.get(GROUPS)).body as { group_payments: object[] };
    expect(group_payments[0]).toMatchObject({ organiser_url, organiser: { may, latest_expires_at: null } });
    expect(shared.edge.fakes.received.create[0]?.organiser).toEqual({ may, latest_expires_at: null });
  });

  it('a creation without an organiser is answered as before (Q83)', async () => {
    const { body } = await create();
    expect(body).not.toHaveProperty('organiser_url');
    expect(body['group_payment']).not.toHaveProperty('organiser');
    expect(shared.edge.fakes.received.create[0]).not.toHaveProperty('organiser');
  });

  it('a latest expiry is passed on as an instant in UTC (Q84)', async () => {
    await create({ may: ['extend'], latest_expires_at: '2030-01-01T12:00:00+02:00' });
    expect(shared.edge.fakes.received.create[0]?.organiser).toEqual({
      may: ['extend'],
      latest_expires_at: '2030-01-01T10:00:00.000Z',
    });
  });

  it.each<[string, unknown, string]>([
    ['an unknown right', { may: ['refund'] }, 'organiser.may[0]'],
    ['a right twice', { may: ['extend', 'extend'] }, 'organiser.may'],
    ['no rights', {}, 'organiser.may'],
    [
      'a latest expiry without the right to extend',
      { may: [], latest_expires_at: inHours(9) },
      'organiser.latest_expires_at',
    ],
    [
      'a latest expiry that is no instant',
      { may: ['extend'], latest_expires_at: 'soon' },
      'organiser.latest_expires_at',
    ],
    ['another field', { may: [], token: 'x' }, 'organiser.token'],
    ['a text', 'cancel', 'organiser'],
  ])('an organiser with %s is refused, and the field is named (Q84)', async (_what, organiser, param) => {
    const { status, body } = await create(organiser);
    expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', param]);
    expect(shared.edge.fakes.received.create).toEqual([]);
  });

  it('a session token reads neither the link of the organiser nor the rights (Q83, A11)', async () => {
    const { body } = await create({ may: ['cancel'] });
    const shown = await shared.edge.get(`${GROUPS}/${idOf(body)}`, { key: await shared.token(idOf(body)) });
    expect(shown.status).toBe(200);
    expect(shown.text).not.toMatch(/organiser|ot_/);
  });
});

describe('a merchant whose setting gives organisers rights', () => {
  let revision = 0;
  const setRights = async (organiser_rights: string[]) => {
    const { merchant_id, mode } = shared.edge.record;
    const settings = { organiser_rights };
    const change = { merchant_id, mode, origins: [], settings, revision: (revision += 1) } as SettingsChanged;
    await upsertSettings(shared.edge.db, change);
    shared.edge.directories.origins.update(change);
  };
  afterEach(() => setRights([]));
  const sent = () => shared.edge.fakes.received.create.map(({ organiser }) => organiser);

  it('a creation that does not mention an organiser gets the rights of the setting (Q83)', async () => {
    await setRights(['remind', 'cancel']);
    const { status, body } = await create();
    const organiser = { may: ['remind', 'cancel'], latest_expires_at: null };
    expect({ status, body }).toMatchObject({ status: 201, body: { group_payment: { organiser } } });
    expect(body).toHaveProperty('organiser_url');
    expect(sent()).toEqual([organiser]);
  });

  it('a creation with rights of its own gets these, and one with null gets no organiser (Q83)', async () => {
    await setRights(['remind', 'cancel']);
    await create({ may: ['extend'] });
    await create({ may: [] });
    const { status, body } = await create(null);
    expect(sent()).toEqual([
      { may: ['extend'], latest_expires_at: null },
      { may: [], latest_expires_at: null },
      undefined,
    ]);
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('organiser_url');
  });

  it('a group payment keeps the rights of its creation when the setting changes, and a repeated creation its answer (Q83, Q12)', async () => {
    await setRights(['cancel']);
    const order = createBody();
    const first = await shared.edge.post(GROUPS, order, { idempotencyKey: 'same' });
    await setRights([]);
    const again = await shared.edge.post(GROUPS, order, { idempotencyKey: 'same' });
    expect(again.body).toEqual(first.body);
    const { body } = await shared.edge.get(`${GROUPS}/${idOf(first.body)}`);
    expect(body).toMatchObject({ group_payment: { organiser: { may: ['cancel'] } } });
    expect((await create()).body).not.toHaveProperty('organiser_url');
  });

  it('an organiser that is refused names its fields alone (Q84)', async () => {
    const { body } = await create({ may: ['refund'] });
    expect(body).toMatchObject({ details: [{ param: 'organiser.may[0]' }] });
  });
});

describe('POST /roll-organiser-link', () => {
  const roll = (id: string, idempotencyKey = randomUUID()) =>
    shared.edge.post(`${GROUPS}/${id}/roll-organiser-link`, undefined, { idempotencyKey });

  it('a roll answers 200 with the new link, once under its Idempotency-Key (Q83, Q12)', async () => {
    const { body } = await create({ may: [] });
    const [id, key] = [idOf(body), randomUUID()];
    const first = await roll(id, key);
    const organiser_url = `${checkoutUrl}/o/${'w'.repeat(35)}`;
    expect(first).toMatchObject({ status: 200, body: { group_payment_id: id, organiser_url } });
    expect((await roll(id, key)).text).toBe(first.text);
    const command = { merchant_id: 'm1', mode: 'test', group_id: id, actor: 'merchant' };
    expect(shared.edge.fakes.received.rollOrganiser).toEqual([expect.objectContaining(command)]);
  });

  it('a roll of a group without an organiser, or of no group, is a 404 (Q83)', async () => {
    const plain = await create();
    expect(await roll(idOf(plain.body))).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'organiser not found' },
    });
    expect(await roll(randomUUID())).toMatchObject({ status: 404 });
  });
});
