import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener, ServerResponse } from 'node:http';
import type { HttpResponse } from '@gp/http';

const exchange = new AsyncLocalStorage<ServerResponse>();

/** Lets handlers cut the connection of their own response, as a failing gateway would. */
export function cuttable(listener: RequestListener): RequestListener {
  return (request, response) => exchange.run(response, () => listener(request, response));
}

/** Cuts the connection without a response; the returned value is not sent. */
export function hangUp(): HttpResponse {
  exchange.getStore()?.socket?.destroy();
  return { status: 502 };
}
