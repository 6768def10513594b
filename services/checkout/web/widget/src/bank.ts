import type { BankForm } from '../../src/host.ts';
import { fault } from './options.ts';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The address, when it is of a bank that the frame's server named, and a safe one; throws otherwise. Whoever could speak
 * through the frame must not send the payer anywhere else.
 */
export function bankAddress(url: string, bankOrigins: readonly string[]): string {
  const { origin, protocol, hostname, href } = new URL(url);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCAL.includes(hostname));
  if (!isSafe || !bankOrigins.includes(origin)) throw fault(`${origin} is not a bank`);
  return href;
}

/** Takes the browser to the bank with a signed form. */
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
  // A field could be called "submit" and hide the method of that name.
  HTMLFormElement.prototype.submit.call(form);
  form.remove();
}
