import type { Caller } from './callers.ts';
import { COLLEAGUES, type Person } from './people.ts';
import type { World } from './world.ts';

/** A credential of the dashboard: a login, or something that is none there. */
export type Seat = {
  readonly headers: Readonly<Record<string, string>>;
  /** Whose data it may show. */
  readonly house: 'mine' | 'theirs' | undefined;
  readonly person?: Person;
  /** The headers of another login of the same person: one that may end. */
  readonly again: () => Promise<Readonly<Record<string, string>>>;
};

/** Makes one of every credential that may be sent to the dashboard; the table explains each. */
export async function openSeats(
  { desk, mine, theirs, team }: World,
  callers: ReadonlyMap<string, Caller>,
): Promise<ReadonlyMap<string, Seat>> {
  const sit = (person: Person, house: Seat['house']): Seat => ({
    headers: { cookie: person.cookie },
    house,
    person,
    again: async () => ({ cookie: (await desk.logIn(person.email, person.password)).cookie }),
  });
  const stand = (headers: Seat['headers']): Seat => ({
    headers,
    house: undefined,
    again: async () => headers,
  });

  const removed = await desk.hire(mine.owner, 'admin');
  await desk.dismiss(mine.owner, removed);
  const left = await desk.logIn(mine.owner.email, mine.owner.password);
  await desk.ask(left, 'POST', '/api/logout', {});
  const halfway = await desk.logInHalfway(await desk.hire(mine.owner, 'admin'));
  const seats: Record<string, Seat> = {
    owner: sit(mine.owner, 'mine'),
    ...Object.fromEntries(COLLEAGUES.map((role) => [role, sit(team[role], 'mine')])),
    'other owner': sit(theirs.owner, 'theirs'),
    removed: stand({ cookie: removed.cookie }),
    'logged out': stand({ cookie: left.cookie }),
    halfway: stand({ cookie: halfway.cookie }),
    'test key': stand(callers.get('test key')?.headers ?? {}),
    token: stand(callers.get('token')?.headers ?? {}),
    operator: stand(callers.get('operator')?.headers ?? {}),
    nobody: stand({}),
  };
  return new Map(Object.entries(seats));
}
