import { useParams } from 'react-router';

export type Mode = 'test' | 'live';

export const isMode = (text: string | undefined): text is Mode => text === 'test' || text === 'live';

/** Returns the mode of the address bar; test where it names none. */
export function useMode(): Mode {
  const { mode } = useParams();
  return isMode(mode) ? mode : 'test';
}
