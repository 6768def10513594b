import { type Callback, newId, type CallbackRequest } from '@gp/psp-sandbox/kit';
import type { PaymentC } from './payment.ts';
import { signed, type SignedFields, type Version } from './signature.ts';
import { buildResultParameters, formatOperationTime, type Result } from './wire.ts';

type NotificationContent = {
  readonly version: Version;
  readonly parameters: Readonly<Record<string, string>>;
};

/** Returns the notification of an operation to the merchant's server. */
export function buildNotification(p: PaymentC, result: Result, at: Date): Callback {
  return {
    id: newId('ntf_'),
    type: `type ${result.type}`,
    body: buildNotificationContent(p, result, at),
    isOutcome: true,
  };
}

function buildNotificationContent(p: PaymentC, result: Result, at: Date): NotificationContent {
  return {
    version: p.details.version,
    parameters: { ...formatOperationTime(at), ...buildResultParameters(p, result) },
  };
}

/** Returns a signed form. In redirections the gateway encodes each value for URLs before it packs them. */
function signedForm({ version, parameters }: NotificationContent, key: string): SignedFields {
  const encoded = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, encodeURIComponent(value)]),
  );
  return signed(version, key, parameters['Ds_Order'] ?? '', encoded);
}

/** Returns the request that carries a notification. */
export function buildRequest(body: string, key: string): CallbackRequest {
  const form = new URLSearchParams(signedForm(JSON.parse(body) as NotificationContent, key));
  return { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: form.toString() };
}

/** Returns what the browser carries back: the same as the notification of the authorisation. */
export function buildReturnParameters(p: PaymentC, key: string): URLSearchParams {
  const { response, answeredAt } = p.details;
  const result = {
    type: '1',
    amountMinor: p.authorisedMinor > 0n ? p.authorisedMinor : p.amountMinor,
    response: response ?? '',
  };
  return new URLSearchParams(signedForm(buildNotificationContent(p, result, new Date(answeredAt ?? 0)), key));
}
