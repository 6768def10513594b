import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDashboard, password, type Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

const valid = { merchant_name: ' Casa Lola ', email: 'Owner@CasaLola.example', password };
const signUp = (body: unknown) => dashboard.send('POST', '/api/signup', { body });

describe('201 signed up', () => {
  it('makes a merchant with its owner, logged in, known by one spelling of the e-mail', async () => {
    const { status, body, cookie } = await signUp(valid);
    expect({ status, body }).toEqual({ status: 201, body: { merchant_id: expect.any(String) } });
    const me = await dashboard.send('GET', '/api/me', { cookie });
    expect(me.body).toEqual({
      merchant_id: body['merchant_id'],
      merchant_name: 'Casa Lola',
      email: 'owner@casalola.example',
      role: 'owner',
    });
    expect(await dashboard.rows('select actor, action, details from audit_log')).toEqual([
      { actor: 'owner@casalola.example', action: 'merchant.created', details: { name: 'Casa Lola' } },
    ]);
  });

  it('the cookie is for this host, for secure connections and not for scripts', async () => {
    const { headers } = await signUp({ ...valid, email: 'cookie@casalola.example' });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-gp_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=43200$/,
      ),
    ]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('keeps the password as argon2id and nothing else', async () => {
    const [user] = await dashboard.rows<{ password_hash: string }>('select password_hash from users');
    expect(user?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('400 refused', () => {
  it('an e-mail that is taken, however it is written', async () => {
    const { status, body } = await signUp({ ...valid, email: 'OWNER@casalola.EXAMPLE' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_error', param: 'email' });
  });

  it('of many sign-ups with one e-mail at the same time, one wins and leaves one merchant', async () => {
    const body = { ...valid, email: 'race@casalola.example', merchant_name: 'Race' };
    const replies = await Promise.all(Array.from({ length: 8 }, () => signUp(body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)]);
    expect(await dashboard.rows(`select 1 from merchants where name = 'Race'`)).toHaveLength(1);
  });

  it.each([
    ['merchant_name', { merchant_name: ' \n ' }],
    ['merchant_name', { merchant_name: 'a'.repeat(101) }],
    ['merchant_name', { merchant_name: 'NUL \u0000' }],
    ['merchant_name', { merchant_name: 'half \ud800' }],
    ['merchant_name', { merchant_name: undefined }],
    ['email', { email: 'no address' }],
    ['email', { email: `${'a'.repeat(64)}@${'b.'.repeat(140)}example` }],
    ['password', { password: 'elevenchars' }],
    ['password', { password: 'a'.repeat(201) }],
    ['password', { password: 123456789012 }],
    ['role', { role: 'owner' }],
    ['merchant_id', { merchant_id: 'm1' }],
  ])('%s names the field of %j', async (param, changed) => {
    const { status, body } = await signUp({ ...valid, email: 'x@casalola.example', ...changed });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_error', param, version: '1.0.0' });
  });

  it('a refusal never repeats the password', async () => {
    const { body } = await signUp({ ...valid, email: 'no', password: 'sentinel-password' });
    expect(JSON.stringify(body)).not.toContain('sentinel');
  });
});
