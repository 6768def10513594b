import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPasskeyDevice, type PasskeyFault } from '@gp/testing';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

const PROOF = '/api/reauthenticate/passkey';
const LOGIN = '/api/login/passkey';
const PASSKEYS = '/api/profile/passkeys';
const place = { rpId: 'dashboard.example', origin: 'https://dashboard.example' };
type Device = ReturnType<typeof openPasskeyDevice>;

let dashboard: Dashboard;
let member: Member;
let device: Device;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  device = await addPasskey(member);
  await forget();
});

async function addPasskey(who: Member): Promise<Device> {
  const made = openPasskeyDevice(place);
  const challenge = await begin(PASSKEYS, who);
  const response = made.register(challenge);
  expect((await who.post(PASSKEYS, { name: 'phone', response })).status).toBe(201);
  return made;
}
/** Lets the proofs of the member's sessions be ten minutes old. */
const forget = () =>
  dashboard.rows(
    `update sessions s set proved_at = clock_timestamp() - interval '10 minutes' from users u
     where u.id = s.user_id and u.email = $1`,
    [member.email],
  );
const begin = async (at: string, who: Pick<Member, 'post'> = member) =>
  String((await who.post(`${at}/options`, {})).body['challenge']);
const beginLogin = async () =>
  String((await dashboard.send('POST', `${LOGIN}/options`, { body: {} })).body['challenge']);
const prove = (response: object, who: Pick<Member, 'post'> = member) => who.post(PROOF, { response });
const newKey = async () => (await member.post('/api/keys', { mode: 'test', name: 'server' })).status;
/** Another session of the member. */
async function otherSession(): Promise<Pick<Member, 'post'>> {
  const response = device.logIn(await beginLogin());
  const { cookie } = await dashboard.send('POST', LOGIN, { body: { response } });
  return { post: (path, body) => dashboard.send('POST', path, { cookie, body }) };
}
const refused = { status: 400, body: { code: 'validation_error', param: 'response' } };

describe('a proof of identity by passkey', () => {
  it('a passkey confirms what needs the password again, for ten minutes (K9, K14)', async () => {
    expect(await newKey()).toBe(403);
    expect((await member.get('/api/me')).body).toMatchObject({ has_passkey: true });
    const { status, body } = await prove(device.logIn(await begin(PROOF)));
    expect(status).toBe(200);
    expect(Date.parse(String(body['proved_until'])) - Date.now()).toBeGreaterThan(590_000);
    expect(await newKey()).toBe(201);
    await forget();
    expect(await newKey()).toBe(403);
  });

  it('a confirmation asks for a passkey of the user, whose device must verify its user (K14)', async () => {
    const { body } = await member.post(`${PROOF}/options`, {});
    expect(body).toMatchObject({
      rpId: 'dashboard.example',
      userVerification: 'required',
      allowCredentials: [{ id: device.logIn('AAAA').id, type: 'public-key' }],
    });
  });

  it('a user without a passkey gets 409, and cannot answer with the passkey of another (K14)', async () => {
    const colleague = await dashboard.colleague(member, 'admin');
    expect((await colleague.get('/api/me')).body).toMatchObject({ has_passkey: false });
    expect(await colleague.post(`${PROOF}/options`, {})).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    const theirs = await addPasskey(colleague);
    expect(await prove(theirs.logIn(await begin(PROOF)))).toMatchObject(refused);
    expect(await newKey()).toBe(403);
  });

  it('a challenge confirms once, in the session that it was issued to, and in time (K14)', async () => {
    const other = await otherSession();
    const challenge = await begin(PROOF);
    expect(await prove(device.logIn(challenge), other)).toMatchObject(refused);
    const replies = await Promise.all([1, 2].map((n) => prove(device.logIn(challenge, { count: 10 + n }))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await prove(device.logIn(challenge, { count: 20 }))).toMatchObject(refused);
    const late = await begin(PROOF);
    await dashboard.rows(`update passkey_challenges set ends_at = ends_at - interval '5 minutes'`);
    expect(await prove(device.logIn(late, { count: 21 }))).toMatchObject(refused);
  });

  it('a challenge of a login or a registration confirms nothing, and that of a confirmation neither (K14)', async () => {
    expect(await prove(device.logIn(await beginLogin()))).toMatchObject(refused);
    await member.post('/api/reauthenticate', { password });
    const registering = await begin(PASSKEYS);
    await forget();
    expect(await prove(device.logIn(registering))).toMatchObject(refused);
    expect(await newKey()).toBe(403);

    const response = device.logIn(await begin(PROOF));
    expect((await dashboard.send('POST', LOGIN, { body: { response } })).status).toBe(401);
    const made = openPasskeyDevice(place).register(await begin(PROOF));
    await member.post('/api/reauthenticate', { password });
    expect((await member.post(PASSKEYS, { name: 'phone', response: made })).status).toBe(400);
  });

  it.each<[string, PasskeyFault]>([
    ['with a wrong signature', { isSignatureWrong: true }],
    ['for another host', { rpId: 'evil.example' }],
    ['on a page of another origin', { origin: 'https://evil.example' }],
    ['without verifying the user', { isUserVerified: false }],
    ['in answer to a registration', { type: 'webauthn.create' }],
  ])('a confirmation that is signed %s is refused with 400 (K14)', async (_what, fault) => {
    expect(await prove(device.logIn(await begin(PROOF), fault))).toMatchObject(refused);
    expect(await newKey()).toBe(403);
    expect((await prove(device.logIn(await begin(PROOF)))).status).toBe(200);
  });

  it('a count that does not grow confirms nothing and is in the audit log (K14)', async () => {
    expect((await prove(device.logIn(await begin(PROOF), { count: 7 }))).status).toBe(200);
    expect(await prove(device.logIn(await begin(PROOF), { count: 7 }))).toMatchObject(refused);
    const found = await dashboard.rows(
      `select 1 from audit_log where merchant_id = $1 and action = 'user.passkey_refused'`,
      [member.id],
    );
    expect(found).toHaveLength(1);
  });

  it('too many confirmations that one session begins get 429, and the password still confirms (K4)', async () => {
    const usual = dashboard.limit({ perAddress: { most: 2, seconds: 900 } });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await member.post(`${PROOF}/options`, {})).status);
    usual();
    expect(statuses).toEqual([200, 200, 429]);
    expect((await member.post('/api/reauthenticate', { password })).status).toBe(200);
  });
});
