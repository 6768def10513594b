import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPasskeyDevice, type PasskeyFault as Fault } from '@gp/testing';
import { reapPasskeyChallenges } from '../src/app/account/passkey-challenges.ts';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

const AT = '/api/profile/passkeys';
const place = { rpId: 'dashboard.example', origin: 'https://dashboard.example' };
type Device = ReturnType<typeof openPasskeyDevice>;

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  dashboard.mails.length = 0;
});

const begin = async (who = member) => String((await who.post(`${AT}/options`, {})).body['challenge']);
const add = async (device: Device, o: Fault = {}, who = member) =>
  who.post(AT, { name: 'phone', response: device.register(await begin(who), o) });
async function newPasskey(): Promise<Device> {
  const device = openPasskeyDevice(place);
  expect((await add(device)).status).toBe(201);
  return device;
}
const beginLogin = async () =>
  String((await dashboard.send('POST', '/api/login/passkey/options', { body: {} })).body['challenge']);
const answer = (response: object) => dashboard.send('POST', '/api/login/passkey', { body: { response } });
const logIn = async (device: Device, o: Fault = {}) => answer(device.logIn(await beginLogin(), o));
const logInByPassword = () =>
  dashboard.send('POST', '/api/login', { body: { email: member.email, password } });
const listActions = async () =>
  (
    await dashboard.rows<{ action: string }>(
      `select action from audit_log where merchant_id = $1 and action like 'user.passkey%' order by id`,
      [member.id],
    )
  ).map(({ action }) => action);

describe('a passkey', () => {
  it('a new passkey needs a fresh proof, is listed, announced by mail and in the audit log, and ends other sessions (K13)', async () => {
    const elsewhere = await dashboard.logIn(member.email);
    await newPasskey();
    const { body } = await member.get(AT);
    expect(body).toEqual({
      origin: 'https://dashboard.example',
      passkeys: [
        {
          id: expect.any(String),
          name: 'phone',
          is_synced: false,
          created_at: expect.any(String),
          last_used_at: null,
        },
      ],
    });
    const mails = dashboard.mails.filter(({ subject }) => subject === 'Your login was changed');
    expect(mails.map(({ to, text }) => [to, text.split('\n')[0]])).toEqual([
      [member.email, 'The passkey "phone" was added.'],
    ]);
    expect((await dashboard.send('GET', '/api/me', { cookie: elsewhere })).status).toBe(401);
    expect(await listActions()).toEqual(['user.passkey_added']);
  });

  it('a registration asks the device to keep the key, to verify its user, and to skip the keys it has (K13)', async () => {
    await newPasskey();
    const { body } = await member.post(`${AT}/options`, {});
    expect(body).toMatchObject({
      rp: { id: 'dashboard.example' },
      user: { name: member.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ id: expect.any(String) }],
    });
  });

  it('needs a proof of identity of the last minutes to be added or removed (K9, K13)', async () => {
    const challenge = await begin();
    await dashboard.rows(
      `update sessions s set proved_at = proved_at - interval '10 minutes' from users u
       where u.id = s.user_id and u.email = $1`,
      [member.email],
    );
    const response = openPasskeyDevice(place).register(challenge);
    for (const reply of [
      await member.post(`${AT}/options`, {}),
      await member.post(AT, { name: 'phone', response }),
      await member.delete(`${AT}/${randomUUID()}`),
    ])
      expect(reply).toMatchObject({ status: 403, body: { param: 'reauthenticate' } });
  });

  it('a removed passkey logs nobody in, and no user removes the passkey of another (K13)', async () => {
    const device = await newPasskey();
    const [{ id }] = (await member.get(AT)).body['passkeys'] as [{ id: string }];
    const stranger = await dashboard.newMerchant();
    expect((await stranger.delete(`${AT}/${id}`)).status).toBe(404);
    expect((await logIn(device)).status).toBe(200);
    expect((await member.delete(`${AT}/${id}`)).status).toBe(200);
    expect((await member.delete(`${AT}/${id}`)).status).toBe(404);
    expect((await logIn(device)).status).toBe(401);
    expect(dashboard.mails.at(-1)?.text).toMatch(/^The passkey "phone" was removed\./);
    expect(await listActions()).toEqual(['user.passkey_added', 'user.passkey_removed']);
  });

  it.each<[string, Fault]>([
    ['for another host', { rpId: 'evil.example' }],
    ['on a page of another origin', { origin: 'https://evil.example' }],
    ['by a device that did not verify its user', { isUserVerified: false }],
    ['in answer to a login', { type: 'webauthn.get' }],
  ])('made %s is refused with 400 (K13)', async (_what, fault) => {
    expect(await add(openPasskeyDevice(place), fault)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', param: 'response' },
    });
    expect((await member.get(AT)).body['passkeys']).toEqual([]);
  });

  it('a challenge adds one passkey, for the user it was issued to, and in time (K13)', async () => {
    const [device, colleague] = [openPasskeyDevice(place), await dashboard.colleague(member, 'admin')];
    const response = device.register(await begin());
    expect((await colleague.post(AT, { name: 'phone', response })).status).toBe(400);
    const [first, second] = await Promise.all([1, 2].map(() => member.post(AT, { name: 'phone', response })));
    expect([first?.status, second?.status].toSorted()).toEqual([201, 400]);
    expect((await add(device)).status).toBe(400);
    expect((await add(device, {}, colleague)).status).toBe(400);
    const late = openPasskeyDevice(place).register(await begin());
    await dashboard.rows(`update passkey_challenges set ends_at = ends_at - interval '5 minutes'`);
    expect((await member.post(AT, { name: 'late', response: late })).status).toBe(400);
    await reapPasskeyChallenges(dashboard.db).runOnce(AbortSignal.timeout(10_000));
    expect(await dashboard.rows('select from passkey_challenges')).toEqual([]);
  });

  it('every bad answer of a device is a 400 and not a fault (K13)', async () => {
    const device = openPasskeyDevice(place);
    const bad = [
      'AAAA',
      '_w',
      'e30',
      Buffer.from('null').toString('base64url'),
      'o2NmbXQ',
      'A'.repeat(8_000),
    ];
    for (const field of ['clientDataJSON', 'attestationObject'] as const)
      for (const value of bad) {
        const good = device.register(await begin());
        const response = { ...good, response: { ...good.response, [field]: value } };
        const reply = await member.post(AT, { name: 'phone', response });
        expect({ field, value: value.slice(0, 9), status: reply.status }).toMatchObject({ status: 400 });
      }
  });
});

describe('a login by passkey', () => {
  it('a passkey logs in without password and code, once for each challenge (K13)', async () => {
    const device = await newPasskey();
    const challenge = await beginLogin();
    const response = device.logIn(challenge);
    const reply = await answer(response);
    expect(reply).toMatchObject({
      status: 200,
      body: { email: member.email, second_factor_required: false, second_factors: [] },
    });
    expect((await dashboard.send('GET', '/api/me', { cookie: reply.cookie })).status).toBe(200);
    expect((await answer(response)).status).toBe(401);
    expect((await answer(device.logIn(challenge))).status).toBe(401);
  });

  it.each<[string, Fault]>([
    ['with a wrong signature', { isSignatureWrong: true }],
    ['for another host', { rpId: 'evil.example' }],
    ['on a page of another origin', { origin: 'https://evil.example' }],
    ['without verifying the user', { isUserVerified: false }],
    ['in answer to a registration', { type: 'webauthn.create' }],
  ])('signed %s is refused with 401 (K13)', async (_what, fault) => {
    const device = await newPasskey();
    expect(await logIn(device, fault)).toMatchObject({
      status: 401,
      body: { code: 'unauthorized', message: 'this passkey was not accepted' },
    });
    expect((await logIn(device)).status).toBe(200);
  });

  it('a count that does not grow, as a copy of the device sends it, is refused and in the audit log (K13)', async () => {
    const device = await newPasskey();
    expect((await logIn(device, { count: 7 })).status).toBe(200);
    for (const count of [7, 3, 0]) expect((await logIn(device, { count })).status).toBe(401);
    expect((await logIn(device, { count: 8 })).status).toBe(200);
    expect((await listActions()).filter((action) => action === 'user.passkey_refused')).toHaveLength(3);
  });

  it('one of two simultaneous logins with the same count is refused (K13)', async () => {
    const device = await newPasskey();
    const replies = await Promise.all([1, 2, 3].map(() => logIn(device, { count: 5 })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  });

  it('a device that counts nothing logs in again and again (K13)', async () => {
    const device = await newPasskey();
    for (let n = 0; n < 2; n++) expect((await logIn(device, { count: 0 })).status).toBe(200);
  });

  it('a network with too many attempts gets 429 (K13)', async () => {
    const usual = dashboard.limit({ perAddress: { most: 2, seconds: 900 } });
    const ask = () => dashboard.send('POST', '/api/login/passkey/options', { body: {} });
    await dashboard.rows('delete from tries');
    const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status);
    usual();
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('a passkey as second factor', () => {
  it('the password alone opens nothing any more, and a passkey completes the login (K13)', async () => {
    const device = await newPasskey();
    const first = await logInByPassword();
    expect(first.body).toMatchObject({ second_factor_required: true, second_factors: ['passkey'] });
    expect((await dashboard.send('GET', '/api/me', { cookie: first.cookie })).status).toBe(401);
    const response = device.logIn(await beginLogin());
    const { cookie } = first;
    const second = await dashboard.send('POST', '/api/login/passkey', { cookie, body: { response } });
    expect(second.status).toBe(200);
    expect((await dashboard.send('GET', '/api/me', { cookie: second.cookie })).status).toBe(200);
  });

  it('satisfies a team that demands a second factor, until it is removed (K10, K13)', async () => {
    const colleague = await dashboard.colleague(member, 'admin');
    await newPasskey();
    expect((await member.put('/api/team/second-factor', { required: true })).status).toBe(200);
    expect((await member.get('/api/keys?mode=test')).status).toBe(200);
    expect((await colleague.get('/api/keys?mode=test')).status).toBe(403);
    expect((await add(openPasskeyDevice(place), {}, colleague)).status).toBe(201);
    expect((await colleague.get('/api/keys?mode=test')).status).toBe(200);
    const { members } = (await member.get('/api/team')).body as { members: { has_second_factor: boolean }[] };
    expect(members.map(({ has_second_factor }) => has_second_factor)).toEqual([true, true]);
    const [{ id }] = (await colleague.get(AT)).body['passkeys'] as [{ id: string }];
    await colleague.delete(`${AT}/${id}`);
    expect((await colleague.get('/api/keys?mode=test')).status).toBe(403);
  });
});
