import { randomBytes } from 'node:crypto';
import { eventually } from '@gp/testing';
import { TOTP } from 'otpauth';
import { send, type Answer, type Json } from '../../support/api.ts';
import { tokenMailedTo } from '../../support/dashboard.ts';
import type { StackFile } from '../../support/stack.ts';

/** A user of the dashboard. */
export type Person = { readonly email: string; readonly password: string; readonly cookie: string };

export const COLLEAGUES = ['admin', 'developer', 'support', 'viewer'] as const;

const password = () => `${randomBytes(12).toString('base64url')} long enough`;

/** Returns a client of a stack's dashboard that sends single requests and hides no answer. */
export function openRawDashboard(stack: StackFile) {
  const ask = (
    who: Pick<Person, 'cookie'> | undefined,
    method: string,
    path: string,
    body?: unknown,
    o?: Json,
  ) => send(method, `${stack.dashboard}${path}`, body, { ...(who && { cookie: who.cookie }), ...o });

  const logIn = async (email: string, pass: string): Promise<Person> =>
    toPerson(await ask(undefined, 'POST', '/api/login', { email, password: pass }), email, pass);

  /** Adds a member to the team of the inviting user. */
  async function addMember(by: Person, role: string): Promise<Person> {
    const email = `${role}-${randomBytes(4).toString('hex')}@merchants.example`;
    expectStatus(await ask(by, 'POST', '/api/team/invitations', { email, role }), 201);
    const token = await eventually(() => tokenMailedTo(stack, email));
    const pass = password();
    const accepted = await ask(undefined, 'POST', '/api/invitations/accept', { token, password: pass });
    return toPerson(expectStatus(accepted, 201), email, pass);
  }

  /** Ends a member's membership, and the keys that the member made. */
  async function removeMember(by: Person, { email }: Person): Promise<void> {
    const { members } = (await ask(by, 'GET', '/api/team')).body as {
      members: { id: string; email: string }[];
    };
    const id = members.find((member) => member.email === email)?.id ?? '';
    expectStatus(await ask(by, 'DELETE', `/api/team/members/${id}?end_keys=true`), 200);
  }

  /** Gives a user a second factor and returns a login that still awaits the code. */
  async function logInHalfway(who: Person): Promise<Person> {
    const begun = expectStatus(await ask(who, 'POST', '/api/profile/second-factor', {}), 201);
    const code = new TOTP({ secret: String(begun.body['secret']) }).generate();
    expectStatus(await ask(who, 'POST', '/api/profile/second-factor/confirm', { code }), 200);
    return logIn(who.email, who.password);
  }

  return { ask, logIn, addMember, removeMember, logInHalfway };
}
export type RawDashboard = ReturnType<typeof openRawDashboard>;

/** Returns an answer with this status; throws for any other. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer;
  throw new Error(`answered ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
}

/** Returns the user that an answer has logged in. */
export function toPerson({ headers }: Answer, email: string, pass: string): Person {
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { email, password: pass, cookie };
}
