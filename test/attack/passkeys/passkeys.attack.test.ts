import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPasskeyDevice, type PasskeyFault } from '@gp/testing';
import type { Answer } from '../../support/api.ts';
import { askDatabase } from '../../support/ledger.ts';
import { openSharedStack, type SharedStack } from '../../support/shared-stack.ts';
import { findMerchant } from '../../support/stack.ts';
import {
  expectStatus,
  openRawDashboard,
  toPerson,
  type Person,
  type RawDashboard,
} from '../matrix/people.ts';

const LOGIN = '/api/login/passkey';
const PROOF = '/api/reauthenticate/passkey';
const PASSKEYS = '/api/profile/passkeys';
type Device = ReturnType<typeof openPasskeyDevice>;

let shared: SharedStack;
let dashboard: RawDashboard;
let owner: Person;
let person: Person;
let device: Device;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a'] });
  dashboard = openRawDashboard(shared.stack);
  const { email, password } = findMerchant(shared.stack, 'gateway_a');
  owner = await dashboard.logIn(email, password);
});
afterAll(() => shared?.close());
beforeEach(async () => {
  person = await dashboard.addMember(owner, 'admin');
  device = await addPasskey(person);
  // A browser that was left open, with a proof that has ended.
  await askDatabase(
    shared.stack,
    'merchant',
    `update sessions s set proved_at = clock_timestamp() - interval '1 hour' from users u
     where u.id = s.user_id and u.email = $1`,
    [person.email],
  );
});

/** A device that believes the page to be the dashboard's, wherever its answers are sent. */
function openDevice(): Device {
  const page = new URL(shared.stack.dashboard);
  page.hostname = 'localhost';
  return openPasskeyDevice({ rpId: page.hostname, origin: page.origin });
}

async function addPasskey(who: Person): Promise<Device> {
  const made = openDevice();
  const response = made.register(await begin(PASSKEYS, who));
  expectStatus(await dashboard.ask(who, 'POST', PASSKEYS, { name: 'phone', response }), 201);
  return made;
}

async function begin(at: string, who?: Person): Promise<string> {
  const { body } = expectStatus(await dashboard.ask(who, 'POST', `${at}/options`, {}), 200);
  return String(body['challenge']);
}

const answer = (at: string, response: object, who?: Person): Promise<Answer> =>
  dashboard.ask(who, 'POST', at, { response });

/** Returns the status of an action that needs a fresh proof of identity. */
const makeKey = async (who: Person): Promise<number> =>
  (await dashboard.ask(who, 'POST', '/api/keys', { mode: 'test', name: 'taken' })).status;

describe('a stranger at a browser that was left open', () => {
  it('a challenge that was issued for a login confirms no action (K14)', async () => {
    const challenge = await begin(LOGIN);
    expect((await answer(PROOF, device.logIn(challenge), person)).status).toBe(400);
    expect((await answer(PROOF, openDevice().logIn(challenge), person)).status).toBe(400);
    expect(await makeKey(person)).toBe(403);
  });

  it('a challenge of a confirmation logs nobody in and adds no passkey (K14)', async () => {
    const response = device.logIn(await begin(PROOF, person));
    const login = await answer(LOGIN, response);
    expect({ status: login.status, cookies: login.headers.getSetCookie() }).toEqual({
      status: 401,
      cookies: [],
    });
    expect(await makeKey(person)).toBe(403);
    expect((await answer(PROOF, device.logIn(await begin(PROOF, person)), person)).status).toBe(200);
    const made = openDevice().register(await begin(PROOF, person));
    const added = await dashboard.ask(person, 'POST', PASSKEYS, { name: 'phone', response: made });
    expect(added.status).toBe(400);
  });

  it('an answer for one session confirms no other session, nor the same one twice (K14)', async () => {
    const elsewhere = await logIn();
    const response = device.logIn(await begin(PROOF, elsewhere));
    expect((await answer(PROOF, response, person)).status).toBe(400);
    expect((await answer(PROOF, response, owner)).status).toBe(400);
    expect(await makeKey(person)).toBe(403);

    const own = device.logIn(await begin(PROOF, person));
    expect((await answer(PROOF, own, person)).status).toBe(200);
    expect(await makeKey(person)).toBe(201);
    expect((await answer(PROOF, own, person)).status).toBe(400);
  });

  it.each<[string, PasskeyFault]>([
    ['was touched by somebody it does not know', { isUserVerified: false }],
    ['believes in another page', { origin: 'https://evil.example' }],
    ['answers for another host', { rpId: 'evil.example' }],
  ])('a device that %s confirms no action (K14)', async (_what, fault) => {
    const response = device.logIn(await begin(PROOF, person), fault);
    expect((await answer(PROOF, response, person)).status).toBe(400);
    expect(await makeKey(person)).toBe(403);
  });

  it('the passkey of a colleague confirms no action (K14)', async () => {
    const theirs = await addPasskey(await dashboard.addMember(owner, 'admin'));
    expect((await answer(PROOF, theirs.logIn(await begin(PROOF, person)), person)).status).toBe(400);
    expect(await makeKey(person)).toBe(403);
  });
});

/** Another session of the person, by the passkey. */
async function logIn(): Promise<Person> {
  const entered = await answer(LOGIN, device.logIn(await begin(LOGIN)));
  return toPerson(expectStatus(entered, 200), person.email, person.password);
}
