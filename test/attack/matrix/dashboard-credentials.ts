import type { Caller } from './callers.ts';
import { COLLEAGUES, type Person } from './people.ts';
import type { World } from './world.ts';

/** A credential that is sent to the dashboard: a login, or a credential of another host. */
export type DashboardCredential = {
  readonly headers: Readonly<Record<string, string>>;
  /** The merchant whose data it may show. */
  readonly merchant: 'mine' | 'theirs' | undefined;
  readonly person?: Person;
  /** Returns the headers of another login of the same user: one that may end. */
  readonly again: () => Promise<Readonly<Record<string, string>>>;
};

/** Makes one of every credential that may be sent to the dashboard; the table explains each. */
export async function openDashboardCredentials(
  { dashboard, mine, theirs, team }: World,
  callers: ReadonlyMap<string, Caller>,
): Promise<ReadonlyMap<string, DashboardCredential>> {
  const buildLogin = (person: Person, merchant: DashboardCredential['merchant']): DashboardCredential => ({
    headers: { cookie: person.cookie },
    merchant,
    person,
    again: async () => ({ cookie: (await dashboard.logIn(person.email, person.password)).cookie }),
  });
  const buildOther = (headers: DashboardCredential['headers']): DashboardCredential => ({
    headers,
    merchant: undefined,
    again: async () => headers,
  });

  const removed = await dashboard.addMember(mine.owner, 'admin');
  await dashboard.removeMember(mine.owner, removed);
  const left = await dashboard.logIn(mine.owner.email, mine.owner.password);
  await dashboard.ask(left, 'POST', '/api/logout', {});
  const halfway = await dashboard.logInHalfway(await dashboard.addMember(mine.owner, 'admin'));
  const credentials: Record<string, DashboardCredential> = {
    owner: buildLogin(mine.owner, 'mine'),
    ...Object.fromEntries(COLLEAGUES.map((role) => [role, buildLogin(team[role], 'mine')])),
    'other owner': buildLogin(theirs.owner, 'theirs'),
    removed: buildOther({ cookie: removed.cookie }),
    'logged out': buildOther({ cookie: left.cookie }),
    halfway: buildOther({ cookie: halfway.cookie }),
    'test key': buildOther(callers.get('test key')?.headers ?? {}),
    token: buildOther(callers.get('token')?.headers ?? {}),
    operator: buildOther(callers.get('operator')?.headers ?? {}),
    nobody: buildOther({}),
  };
  return new Map(Object.entries(credentials));
}
