/** A payment that the gateway holds or charged, beside what the restored ledger knows of it. */
export type RestoredPayment = {
  readonly psp_reference: string;
  readonly intent_id: string | null;
  /** Status in the gateway's books. */
  readonly status: string;
  /** State in the ledger; null where the backup does not have the payment. */
  readonly state: string | null;
  /** Captures that took effect. */
  readonly captures: number;
};
/** A task of an operator, as the command line lists it. */
export type Task = {
  readonly code: string;
  readonly intent_id: string | null;
  readonly details: { readonly psp_reference?: string };
};

const NAMES: Readonly<Record<string, string>> = { authorised: 'preauthorised' };

/** Whether the ledger says of a payment what the gateway says. */
const agrees = ({ status, state }: RestoredPayment): boolean => state === (NAMES[status] ?? status);

/** Returns a sentence for each payment that was captured twice, or of which neither the ledger nor a task says what the gateway says. */
export function judgeRestored(payments: readonly RestoredPayment[], tasks: readonly Task[]): string[] {
  const named = new Set(tasks.flatMap(({ intent_id: id, details }) => [id, details.psp_reference]));
  return payments.flatMap((payment) => {
    const { psp_reference: reference, intent_id: id, status, state, captures } = payment;
    const isNamed = named.has(reference) || (state !== null && named.has(id));
    return [
      ...(captures > 1 ? [`payment ${reference} was captured ${captures} times`] : []),
      ...(agrees(payment) || isNamed
        ? []
        : [
            `payment ${reference} is ${status} at the gateway and ${state ?? 'unknown'} here, and no task names it`,
          ]),
    ];
  });
}

/** Every payment of the accounts of a merchant that was held, with the ledger's state. */
export const PAYMENTS = (accounts: readonly string[]): string => `
  select p.psp_reference, p.payment_intent_id as intent_id, p.status, i.state,
         (select count(*)::int from psp_sandbox.calls c
           where c.psp_reference = p.psp_reference and c.operation = 'capture' and c.outcome = 'ok') as captures
  from psp_sandbox.payments p
  left join group_ledger.intents i on i.id::text = p.payment_intent_id
  where p.authorised_minor > 0 and p.account in (${accounts.map((account) => `'${account}'`).join()})`;
