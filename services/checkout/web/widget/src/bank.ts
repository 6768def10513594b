import type { BankForm } from '../../src/host.ts';
import { fault } from './options.ts';

/** An origin over TLS, or one of this machine. */
const SAFE = /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$))/;

/**
 * Returns the address when it is safe and of a bank that the frame's server named; throws otherwise. Code that can
 * send messages through the frame must not be able to send the payer anywhere else.
 */
export function bankAddress(url: string, bankOrigins: readonly string[]): string {
  const { origin, href } = new URL(url);
  if (!SAFE.test(origin) || !bankOrigins.includes(origin)) throw fault(`${origin} is not a bank`);
  return href;
}

/** Submits a signed form that takes the browser to the bank. */
export function goToBank({ url, fields }: BankForm, bankOrigins: readonly string[]): void {
  const form = document.createElement('form');
  form.method = 'POST';
  form.action = bankAddress(url, bankOrigins);
  form.target = '_top';
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const input = form.appendChild(document.createElement('input'));
    input.type = 'hidden';
    input.name = name;
    input.value = value;
  }
  document.body.append(form);
  // A field could be named "submit" and hide the method of that name.
  HTMLFormElement.prototype.submit.call(form);
  form.remove();
}
