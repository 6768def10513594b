import { eventually } from '@gp/testing';
import { request } from 'undici';

export type Answer = { readonly status: number; readonly body: unknown };

/** One HTTP call of a tester; form bodies as URLSearchParams, everything else as JSON. */
export async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  o: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal | undefined } = {},
): Promise<Answer & { headers: Record<string, string | string[] | undefined>; text: string }> {
  const isForm = o.body instanceof URLSearchParams;
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const answer = await request(url, {
    method,
    ...(o.signal && { signal: o.signal }),
    headers: { ...(o.body !== undefined && { 'content-type': type }), ...o.headers },
    ...(o.body !== undefined && { body: stringifyBody(o.body) }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, body: parsed(text), headers: answer.headers, text };
}

const stringifyBody = (body: unknown): string =>
  typeof body === 'string' ? body : body instanceof URLSearchParams ? body.toString() : JSON.stringify(body);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Page = {
  readonly gateway: string;
  readonly psp_reference: string;
  readonly payment_intent_id: string | null;
  readonly status: string;
  readonly amount_minor: number;
  readonly authorised_minor: number;
  readonly captured_minor: number;
  readonly refunded_minor: number;
  readonly calls: readonly { operation: string; outcome: string; at: string; fault?: string }[];
  readonly callbacks: readonly { type: string; state: string; attempts: number }[];
};

/** The control side of a running sandbox. */
export function openTester(url: string) {
  const control = async (
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<unknown> => {
    const answer = await call(method, `${url}/control/${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const books = async (reference: string): Promise<Page[]> => {
    const { body } = await call('GET', `${url}/control/books?reference=${encodeURIComponent(reference)}`);
    return (body as { payments: Page[] }).payments;
  };
  const page = async (reference: string): Promise<Page> => {
    const [first] = await books(reference);
    if (first === undefined) throw new Error(`the books do not know ${reference}`);
    return first;
  };
  return {
    control,
    books,
    page,
    fault: (gateway: string, operation: string, fault: string, times = 1, match?: object) =>
      control('POST', 'faults', { gateway, operation, fault, times, ...(match && { match }) }),
    /** Waits until the books show this status. */
    becomes: (reference: string, status: string) =>
      eventually(async () => {
        const found = await page(reference);
        return found.status === status ? found : undefined;
      }),
    calls: async (reference: string, operation: string) =>
      (await page(reference)).calls
        .filter((one) => one.operation === operation)
        .map(({ outcome }) => outcome),
  };
}

export type Tester = ReturnType<typeof openTester>;
