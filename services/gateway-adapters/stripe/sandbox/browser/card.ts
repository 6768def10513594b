import { openCardFrame, type Card, type CardFrame, type Message } from '@gp/psp-sandbox/browser';

/** gateway_a's card element: sends the card to the gateway itself and sends the result to the page. */
const frame = openCardFrame((opened, message) => {
  if (message.type === 'confirm') void confirm(opened, message);
});
frame?.line.send({ type: 'ready' });

async function confirm({ fields, line }: CardFrame, message: Message): Promise<void> {
  const { id } = message;
  const read = fields.read();
  if ('fault' in read) {
    const { code, message: text } = read.fault;
    return line.send({ type: 'confirmed', id, error: { type: 'validation_error', code, message: text } });
  }
  line.send({ type: 'confirmed', id, ...(await sent(message, read.card)) });
}

type CardResult = { readonly intent: unknown } | { readonly error: unknown };

/**
 * Sends a confirm. Every response is an intent or an error in the gateway's format; a missing response is an error
 * of the connection.
 */
async function sent(message: Message, card: Card): Promise<CardResult> {
  const clientSecret = toText(message['clientSecret']);
  const intent = encodeURIComponent(clientSecret.split('_secret_')[0] ?? '');
  try {
    const response = await fetch(`../v1/payment_intents/${intent}/confirm`, {
      method: 'POST',
      credentials: 'omit',
      body: buildConfirmForm(message, clientSecret, card),
    });
    const body = (await response.json()) as { error?: unknown };
    return response.ok ? { intent: body } : { error: body.error };
  } catch {
    const text =
      'The connection to the gateway was lost. Check whether the payment was made before another try.';
    return { error: { type: 'api_connection_error', message: text } };
  }
}

function buildConfirmForm(message: Message, clientSecret: string, card: Card): URLSearchParams {
  const form = new URLSearchParams({
    key: toText(message['key']),
    client_secret: clientSecret,
    use_stripe_sdk: 'true',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number,
    'payment_method_data[card][exp_month]': String(card.month),
    'payment_method_data[card][exp_year]': String(card.year),
    'payment_method_data[card][cvc]': card.cvc,
  });
  const account = toText(message['account']);
  if (account !== '') form.set('_stripe_account', account);
  const details = message['billingDetails'];
  for (const [name, value] of Object.entries(typeof details === 'object' && details !== null ? details : {}))
    if (typeof value === 'string') form.set(`payment_method_data[billing_details][${name}]`, value);
  return form;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
