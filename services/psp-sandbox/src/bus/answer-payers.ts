import type { Bus } from '@gp/bus';
import {
  authenticatePayer,
  findPayers,
  playPayer,
  type PayerCard,
  type PspCode,
  type RequestOf,
  type ResponseOf,
} from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Service } from '@gp/service';
import type { PlayedGateway } from '../app/gateway.ts';
import { findTestPayer } from '../domain/payer.ts';

export type PayerParts = {
  readonly gateways: ReadonlyMap<PspCode, PlayedGateway>;
  readonly clock: () => Date;
};

/** Plays payers for test payments of the API. */
export function answerPayers(
  service: Pick<Service<unknown>, 'serve'>,
  bus: Bus,
  { gateways, clock }: PayerParts,
): void {
  const findGateway = (code: PspCode): PlayedGateway => {
    const gateway = gateways.get(code);
    if (gateway === undefined) throw notFound('gateway');
    return gateway;
  };
  const play = (card: PayerCard, deadline: number) => ({
    ...findTestPayer(card, clock()),
    signal: AbortSignal.timeout(Math.max(0, deadline - Date.now())),
  });
  const pay = joinRepeats<RequestOf<typeof playPayer>, ResponseOf<typeof playPayer>>(
    async ({ psp_code, client, card, payer_name: name }, deadline) => {
      const encrypted = await findGateway(psp_code).pay(client, { name, ...play(card, deadline) });
      return encrypted ? { card: encrypted } : {};
    },
  );
  service.serve(bus, findPayers, () => Promise.resolve({}));
  service.serve(bus, playPayer, (request, { deadline }) => pay(request, deadline));
  service.serve(bus, authenticatePayer, async ({ psp_code, page, card }, { deadline }) => {
    const address = URL.parse(page);
    const { authenticate } = findGateway(psp_code);
    if (address === null || !authenticate) throw notFound('page');
    await authenticate(address, play(card, deadline));
    return {};
  });
}

/**
 * Lets a request that is repeated while it runs wait for the first: the bus sends one again that takes long, and a payer who sent the
 * card once more would meet none of the faults that the first meets.
 */
function joinRepeats<Req, Res>(
  work: (request: Req, deadline: number) => Promise<Res>,
): (request: Req, deadline: number) => Promise<Res> {
  const running = new Map<string, Promise<Res>>();
  return (request, deadline) => {
    const key = JSON.stringify(request);
    const known = running.get(key);
    if (known) return known;
    const begun = work(request, deadline).finally(() => running.delete(key));
    running.set(key, begun);
    return begun;
  };
}
