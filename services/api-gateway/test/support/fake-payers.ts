import type { Bus, Closable } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';

export type Played = RequestOf<typeof contracts.playPayer>;
export type Authenticated = RequestOf<typeof contracts.authenticatePayer>;

/** A sandbox whose payers pay: nothing of it is left for a server to confirm. */
export const payerAnswers = {
  payers: (): Promise<object> => Promise.resolve({}),
  play: (_request: Played): Promise<ResponseOf<typeof contracts.playPayer>> => Promise.resolve({}),
  authenticate: (_request: Authenticated): Promise<object> => Promise.resolve({}),
};

/** Serves the calls that play payers. */
export function servePayers(
  bus: Bus,
  received: { played: Played[]; authenticated: Authenticated[] },
  answers: typeof payerAnswers,
): Closable[] {
  return [
    bus.serve(contracts.findPayers, () => answers.payers()),
    bus.serve(contracts.playPayer, (request) => (received.played.push(request), answers.play(request))),
    bus.serve(
      contracts.authenticatePayer,
      (request) => (received.authenticated.push(request), answers.authenticate(request)),
    ),
  ];
}
