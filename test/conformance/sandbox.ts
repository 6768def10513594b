export type BookedPayment = {
  readonly psp_reference: string;
  readonly payment_intent_id: string | null;
  readonly amount_minor: number;
  readonly status: 'created' | 'authorised' | 'captured' | 'voided' | 'refunded' | 'expired' | 'declined';
  readonly authorised_minor: number;
  readonly captured_minor: number;
  readonly refunded_minor: number;
  readonly pending_step: string | null;
  readonly disputed: boolean;
  readonly calls: readonly {
    readonly operation: string;
    readonly at: string;
    readonly outcome: string;
    readonly fault?: string;
  }[];
  readonly callbacks: readonly { readonly type: string; readonly state: string }[];
};

export type FaultRule = { readonly operation: string; readonly fault: string; readonly times?: number };

/** The tester's side of the sandbox. */
export type Sandbox = {
  readonly url: string;
  /** Opens an account and returns the fields that a merchant would enter. */
  openAccount(
    psp: string,
    name: string,
    webhookUrl: string,
    displayName?: string,
  ): Promise<Record<string, string>>;
  /** Lets the next calls about one payment misbehave. */
  setFault(psp: string, intentId: string, rule: FaultRule): Promise<void>;
  /** Everything the gateway has ever known under one payment intent. */
  books(intentId: string): Promise<BookedPayment[]>;
  /** Encrypts a value as the card field does; the path is below the address of the sandbox. */
  encrypt(request: { readonly path: string; readonly body: object }): Promise<string>;
  lapse(pspReference: string): Promise<void>;
  external(
    pspReference: string,
    action: 'capture' | 'refund' | 'void' | 'dispute' | 'win_dispute',
  ): Promise<void>;
};

export function sandboxAt(url: string): Sandbox {
  const control = (path: string, body?: object) => ask(`/control${path}`, body);
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the sandbox answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    url,
    openAccount: async (psp, name, webhookUrl, display_name) =>
      (await control(`/${psp}/accounts`, { name, webhook_url: webhookUrl, display_name })) as Record<
        string,
        string
      >,
    async setFault(gateway, intentId, { operation, fault, times = 1 }) {
      await control('/faults', { gateway, operation, fault, times, match: { payment_intent_id: intentId } });
    },
    async books(intentId) {
      const { payments } = (await control(`/books?reference=${intentId}`)) as { payments: BookedPayment[] };
      return payments.filter((payment) => payment.payment_intent_id === intentId);
    },
    async encrypt({ path, body }) {
      return ((await ask(path, body)) as { encrypted: string }).encrypted;
    },
    async lapse(pspReference) {
      await control(`/payments/${pspReference}/lapse`, {});
    },
    async external(pspReference, action) {
      await control(`/payments/${pspReference}/external`, { action });
    },
  };
}
