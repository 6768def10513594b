import { queryOptions } from '@tanstack/react-query';
import type { Branding, Mode, SupportContact } from '../../../src/http/api.ts';
import { send } from '../api/send.ts';

/** How the merchant's checkout page looks in a mode. */
export const brandingQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'branding'],
    queryFn: ({ signal }) => send<Branding>(`/api/branding?mode=${mode}`, { signal }),
    staleTime: 60_000,
  });

/** Whom the merchant's payers may ask in a mode. */
export const contactQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'support-contact'],
    queryFn: ({ signal }) => send<SupportContact>(`/api/support-contact?mode=${mode}`, { signal }),
    staleTime: 60_000,
  });

/** Returns the address of a logo by the name of its file. */
export const logoAddress = (file: string): string => `/api/logos/${file}`;
