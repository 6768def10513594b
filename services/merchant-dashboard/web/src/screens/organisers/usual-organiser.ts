import { useQuery } from '@tanstack/react-query';
import type { UsualOrganiser } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { useMode } from '../../shell/mode.ts';

/** Reads what organisers may do by default in the mode of the address bar. */
export function useUsualOrganiser() {
  const mode = useMode();
  const queryKey = [mode, 'organiser-rights'];
  const setting = useQuery({
    queryKey,
    queryFn: ({ signal }) => send<UsualOrganiser>(`/api/organiser-rights?mode=${mode}`, { signal }),
  });
  return { setting, queryKey };
}
