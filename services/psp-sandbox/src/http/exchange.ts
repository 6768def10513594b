import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener, ServerResponse } from 'node:http';
import type { HttpResponse } from '@gp/http';

const exchange = new AsyncLocalStorage<ServerResponse>();

/** Lets handlers cut the connection they are answering on, as a failing gateway would. */
export function cuttable(listener: RequestListener): RequestListener {
  return (request, response) => exchange.run(response, () => listener(request, response));
}

/** Cuts the connection without a word; what is returned goes nowhere. */
export function hangUp(): HttpResponse {
  exchange.getStore()?.socket?.destroy();
  return { status: 502 };
}
