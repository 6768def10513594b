import type { PspCode } from '@gp/gateway-registry';
import type { PassResult } from '@gp/service';
import type { Payment, Work } from '../domain/payment.ts';
import type { PlayedGateway } from './gateway.ts';
import type { BooksTransaction } from './ports.ts';

/** The durable list of scheduled work. */
export interface WorkList {
  /** Takes one due piece and performs it in the same transaction; returns false when nothing is due. */
  takeDue(perform: (tx: BooksTransaction, payment: Payment, work: Work) => Promise<void>): Promise<boolean>;
}

/** Performs one due piece of work: a confirmation, a later failure, the expiry of a hold. */
export function workOff(works: WorkList, gateways: ReadonlyMap<PspCode, PlayedGateway>) {
  return async (): Promise<PassResult> => {
    const isDone = await works.takeDue(async (tx, payment, work) => {
      const gateway = gateways.get(work.gateway);
      if (gateway === undefined) return;
      if (work.kind !== 'lapse') return gateway.settle(tx, payment, work);
      await gateway.lapse(tx, payment);
    });
    return isDone ? 'busy' : 'empty';
  };
}
