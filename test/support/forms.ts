import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError, type FormFields } from '@gp/testing';
import { ApiFailure } from './api.ts';

/** A machine that runs four tests at a time may hold a page up for half a minute. */
const GIVE_UP_MS = 60_000;

/**
 * Posts a form until it is answered, and returns the JSON of the answer. After a try whose answer was lost, `findDone`
 * reads from a refusal what that try has done. Throws `ApiFailure` for every other refusal.
 */
export async function postForm(
  url: string,
  fields: FormFields,
  o: {
    readonly headers?: FormFields;
    readonly findDone?: (refusal: unknown) => object | undefined;
  } = {},
): Promise<unknown> {
  let isInDoubt = false;
  for (const giveUpAt = Date.now() + GIVE_UP_MS; ; await delay(200)) {
    const answer = await post(url, fields, o.headers).catch(() => undefined);
    if (answer && answer.status < 500) {
      const { status, text } = answer;
      const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
      if (status < 400) return body;
      // 410: the question was answered before.
      const done = isInDoubt && (status === 410 ? {} : o.findDone?.(body));
      if (done) return done;
      throw new ApiFailure(`POST ${url}`, { status, headers: answer.headers, body: { text } });
    }
    isInDoubt = true;
    if (Date.now() > giveUpAt) throw new TimeoutError(`POST ${url} did not answer`);
  }
}

/**
 * Posts the form of a page until it is answered; returns the next page, or where it leads to. Throws `ApiFailure` for a
 * refusal; after a try whose answer was lost, a refusal is returned, since that try may have done what was asked.
 */
export async function postPage(url: string, fields: FormFields) {
  let isInDoubt = false;
  for (const giveUpAt = Date.now() + GIVE_UP_MS; ; await delay(200)) {
    const answer = await post(url, fields).catch(() => undefined);
    if (answer && answer.status < 500) {
      const { status, text, headers } = answer;
      if (status >= 400 && !isInDoubt)
        throw new ApiFailure(`POST ${url}`, { status, headers, body: { text } });
      return { status, text, location: headers.get('location') };
    }
    isInDoubt = true;
    if (Date.now() > giveUpAt) throw new TimeoutError(`POST ${url} did not answer`);
  }
}

/** Goes where the bank sent the payer's browser, until that answers. */
export async function comeBack(address: string | null): Promise<void> {
  for (const giveUpAt = Date.now() + GIVE_UP_MS; address !== null; await delay(200)) {
    const response = await fetch(address, { redirect: 'manual' }).catch(() => undefined);
    await response?.body?.cancel();
    if (response && response.status >= 400 && response.status < 500)
      throw new Error(`GET ${address} answered ${response.status}`);
    if (response && response.status < 500) return;
    if (Date.now() > giveUpAt) throw new TimeoutError(`GET ${address} did not answer`);
  }
}

async function post(url: string, fields: FormFields, headers: FormFields = {}) {
  const body = new URLSearchParams(fields);
  const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
