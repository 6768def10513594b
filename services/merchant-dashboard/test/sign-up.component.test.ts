import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDashboard, password, type Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

const valid = { merchant_name: ' Casa Lola ', email: 'Owner@CasaLola.example', password };
const ask = (body: unknown) => dashboard.send('POST', '/api/signup', { body });
const confirm = (token: string) => dashboard.send('POST', '/api/signup/confirm', { body: { token } });
/** Asks, and follows the link in the mail. */
const signUp = async (body: { email: string }) => {
  expect((await ask(body)).status).toBe(202);
  return confirm(dashboard.tokenFor(body.email.toLowerCase()));
};

describe('202 asked', () => {
  it('a sign-up sends a link and creates nothing yet', async () => {
    const { status, body, cookie } = await ask({ ...valid, email: 'later@casalola.example' });
    expect({ status, body, cookie }).toEqual({ status: 202, body: {}, cookie: '' });
    expect(await dashboard.rows(`select 1 from users where email like 'later@%'`)).toEqual([]);
    expect(dashboard.mails.at(-1)).toMatchObject({
      to: 'later@casalola.example',
      text: expect.stringContaining('https://dashboard.example/sign-up/confirm#token='),
    });
  });

  it('a sign-up returns the same for an address that has an account, and its owner gets a mail', async () => {
    await signUp({ ...valid, email: 'known@casalola.example' });
    const known = await ask({ ...valid, email: 'KNOWN@casalola.example' });
    const unknown = await ask({ ...valid, email: 'unknown@casalola.example' });
    const shown = ({ status, body, cookie }: typeof known) => ({ status, body, cookie });
    expect(shown(known)).toEqual(shown(unknown));
    const mail = dashboard.mails.filter(({ to }) => to === 'known@casalola.example').at(-1);
    expect(mail?.subject).toBe('You have an account already');
    expect(mail?.text).not.toContain('#token=');
  });

  it('a sign-up mail repeats nothing that a stranger entered (K12)', async () => {
    const email = 'victim@casalola.example';
    await ask({ ...valid, email, merchant_name: 'http://evil.example/login' });
    const mail = dashboard.mails.findLast(({ to }) => to === email);
    expect(JSON.stringify(mail)).not.toContain('evil');
  });

  it('no table holds the secret of a link', async () => {
    await ask({ ...valid, email: 'secret@casalola.example' });
    const token = dashboard.tokenFor('secret@casalola.example');
    const stored = JSON.stringify(await dashboard.rows('select s::text from sign_ups s'));
    expect(token).toHaveLength(43);
    for (const form of [token, Buffer.from(token).toString('hex')]) expect(stored).not.toContain(form);
  });

  it('a sign-up gets a 429 when one mailbox got too many mails', async () => {
    const usual = dashboard.limit({ perMailbox: { most: 2, seconds: 900 } });
    const body = { ...valid, email: 'flooded@casalola.example' };
    const statuses = [];
    for (let turn = 0; turn < 3; turn++) statuses.push((await ask(body)).status);
    usual();
    expect(statuses).toEqual([202, 202, 429]);
  });
});

describe('201 confirmed', () => {
  it('a confirmation creates a merchant with its owner, logged in, with one spelling of the e-mail', async () => {
    const { status, body, cookie } = await signUp(valid);
    expect({ status, body }).toEqual({ status: 201, body: { merchant_id: expect.any(String) } });
    const me = await dashboard.send('GET', '/api/me', { cookie });
    expect(me.body).toMatchObject({
      merchant_id: body['merchant_id'],
      merchant_name: 'Casa Lola',
      email: 'owner@casalola.example',
      role: 'owner',
    });
    const audit = await dashboard.rows(
      'select actor, action, details from audit_log where merchant_id = $1',
      [body['merchant_id']],
    );
    expect(audit).toEqual([
      { actor: 'owner@casalola.example', action: 'merchant.created', details: { name: 'Casa Lola' } },
    ]);
  });

  it('the session cookie is for this host, for secure connections and not for scripts', async () => {
    const { headers } = await signUp({ ...valid, email: 'cookie@casalola.example' });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-gp_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=43200$/,
      ),
      expect.stringMatching(
        /^__Host-gp_device=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=34560000$/,
      ),
    ]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('a password is kept as argon2id and nothing else', async () => {
    for (const table of ['users', 'sign_ups'])
      for (const row of await dashboard.rows<{ password_hash: string }>(`select password_hash from ${table}`))
        expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('a link that was used, is too old, or never existed is a 401', async () => {
    await signUp({ ...valid, email: 'once@casalola.example' });
    const used = dashboard.tokenFor('once@casalola.example');
    await ask({ ...valid, email: 'old@casalola.example' });
    await dashboard.rows(`update sign_ups set expires_at = clock_timestamp() where email like 'old@%'`);
    for (const token of [used, dashboard.tokenFor('old@casalola.example'), 'x'.repeat(43)]) {
      const { status, body } = await confirm(token);
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'unauthorized', param: 'token' } });
    }
  });

  it('many confirmations of one address at the same time create one merchant', async () => {
    const email = 'race@casalola.example';
    const tokens = [];
    for (let turn = 0; turn < 4; turn++) {
      await ask({ ...valid, email, merchant_name: 'Race' });
      tokens.push(dashboard.tokenFor(email));
    }
    const replies = await Promise.all(tokens.map(confirm));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(await dashboard.rows(`select 1 from merchants where name = 'Race'`)).toHaveLength(1);
  });
});

describe('400 refused', () => {
  it.each([
    ['merchant_name', { merchant_name: ' \n ' }],
    ['merchant_name', { merchant_name: 'a'.repeat(101) }],
    ['merchant_name', { merchant_name: 'NUL \u0000' }],
    ['merchant_name', { merchant_name: 'half \ud800' }],
    ['merchant_name', { merchant_name: 'turned \u202e' }],
    ['merchant_name', { merchant_name: '\ufeff' }],
    ['merchant_name', { merchant_name: 'zero\u200bwidth' }],
    ['merchant_name', { merchant_name: undefined }],
    ['email', { email: 'no address' }],
    ['email', { email: `${'a'.repeat(64)}@${'b.'.repeat(140)}example` }],
    ['password', { password: 'elevenchars' }],
    ['password', { password: 'passwordpassword' }],
    ['password', { password: 'a'.repeat(201) }],
    ['password', { password: 123456789012 }],
    ['role', { role: 'owner' }],
    ['merchant_id', { merchant_id: 'm1' }],
  ])('a sign-up is a 400 when %s names the field of %j', async (param, changed) => {
    const { status, body } = await ask({ ...valid, email: 'x@casalola.example', ...changed });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_error', param, version: '1.0.0' });
  });

  it('a refusal never repeats the password', async () => {
    const { body } = await ask({ ...valid, email: 'no', password: 'sentinel-password' });
    expect(JSON.stringify(body)).not.toContain('sentinel');
  });
});

describe('409 where the installation has no mail', () => {
  it('a sign-up in an installation without mail is a 409 before anything is written, the same for everybody', async () => {
    const { mailer } = dashboard.parts;
    Object.assign(dashboard.parts, { mailer: null });
    const [signedUp, reset] = await Promise.all([
      ask({ ...valid, email: 'mailless@casalola.example' }),
      dashboard.send('POST', '/api/password-reset', { body: { email: 'mailless@casalola.example' } }),
    ]);
    Object.assign(dashboard.parts, { mailer });
    for (const { status, body } of [signedUp, reset])
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await dashboard.rows(`select 1 from sign_ups where email like 'mailless@%'`)).toEqual([]);
  });
});
