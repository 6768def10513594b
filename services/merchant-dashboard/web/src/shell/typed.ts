import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { useLocation } from 'react-router';
import type { Me } from '../../../src/http/api.ts';
import { useMember } from './session.ts';

type Member = Pick<Me, 'merchant_id' | 'email'>;
type Kept = { readonly owner: string; readonly values: Map<string, unknown> };

/** What has been typed into the forms that are shown now, by form. */
const typed = new Map<string, unknown>();
/** What had been typed when the session ended. */
let kept: Kept | undefined;

const nameOwner = ({ merchant_id, email }: Member): string => `${merchant_id} ${email}`;

/**
 * Keeps what a member has typed when the session ends, until the same member of the same merchant has logged in again; returns whether
 * there is anything. It stays in the memory of this page. The browser's storage would keep it after the tab is closed, where the next
 * user of the browser could read it. What was read from the backend is not kept.
 */
export function keepTyped(member: Member): boolean {
  const owner = nameOwner(member);
  // A second response of an ended session comes when the forms are gone already.
  kept = { owner, values: new Map([...(kept?.owner === owner ? kept.values : []), ...typed]) };
  return kept.values.size > 0;
}

/**
 * A state, like `useState`, of something that a member types into a form with this name on this screen. It outlives the end of the
 * session (`keepTyped`). Not for secrets, such as passwords and the keys of a gateway: they are gone with their form.
 */
export function useTyped<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const { pathname, search } = useLocation();
  const member = useMember();
  const place = `${pathname}${search} ${name}`;
  const [untouched] = useState(initial);
  const [value, setValue] = useState<T>(() => {
    const isOwner = member !== undefined && kept?.owner === nameOwner(member);
    return isOwner && kept?.values.has(place) ? (kept.values.get(place) as T) : initial;
  });
  // From now on it is in the form.
  useEffect(() => void kept?.values.delete(place), [place]);
  useEffect(() => {
    if (Object.is(value, untouched)) return;
    typed.set(place, value);
    return () => void typed.delete(place);
  }, [place, value, untouched]);
  return [value, setValue];
}
