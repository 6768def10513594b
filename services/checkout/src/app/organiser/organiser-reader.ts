import { AppError } from '@gp/errors';
import type { Loop } from '@gp/service';
import type { PayerStreams, Reader } from '../payer-streams.ts';
import type { OrganiserCalls } from './ports.ts';

/** A page that stays open asks for its stream again after this time. */
const STREAM_MS = 3_600_000;
/** The ledger announces that a link was replaced; the note may get lost, so every open link is looked up this often. */
const RECHECK_MS = 10_000;

/** Returns the reader that an organiser's link admits; rejects with `not_found` for an unknown one. */
export function organiserReader(
  calls: Pick<OrganiserCalls, 'findOrganised'>,
): (token: string) => Promise<Reader> {
  return async (token) => {
    const { group } = await calls.findOrganised(token);
    return {
      scope: { merchant_id: group.merchant_id, mode: group.mode, group_id: group.id },
      key: `organiser ${group.id}`,
      epoch: undefined,
      endsAtMs: Date.now() + STREAM_MS,
      isGood: () =>
        calls.findOrganised(token).then(
          () => true,
          // A failed look-up does not end a stream.
          (error: unknown) => !(error instanceof AppError && error.code === 'not_found'),
        ),
    };
  };
}

/** Ends the streams of organisers' links that were replaced, where the note of that was lost. */
export function endReplacedLinks(streams: Pick<PayerStreams, 'recheckLinks'>): Loop {
  return {
    name: 'end-replaced-organiser-streams',
    idleMs: RECHECK_MS,
    runOnce: async () => {
      await streams.recheckLinks();
      return 'idle';
    },
  };
}
