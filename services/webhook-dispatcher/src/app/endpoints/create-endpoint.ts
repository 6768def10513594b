import { MOST_ENDPOINTS } from '@gp/contracts';
import type { createEndpoint as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import { uuidv7 } from 'uuidv7';
import { insertEndpoint } from '../../db/endpoints.ts';
import { parseEndpointUrl } from '../../outbound/endpoint-url.ts';
import { endpointIdentity } from '../../db/sealed-columns.ts';
import { endpointView } from './endpoint-view.ts';
import { newSecret } from '../deliveries/sign-delivery.ts';

type Create = (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>>;

/**
 * Registers an endpoint; its secret is in this answer and nowhere else. Rejects with `validation_error`: the url, or
 * one endpoint too many.
 */
export function createEndpoint(o: { readonly db: Db; readonly seal: Seal }): Create {
  return async ({ merchant_id, mode, url, description, event_types }) => {
    const uri = parseEndpointUrl(url);
    const id = uuidv7();
    const secret = newSecret();
    const { keyId, bytes } = o.seal.seal(secret, endpointIdentity(id));
    const row = await insertEndpoint(o.db, {
      id,
      merchant_id,
      mode,
      url: uri,
      description,
      event_types: [...new Set(event_types)],
      secretKeyId: keyId,
      secretSealed: bytes,
    });
    if (!row) {
      const message = `there may be at most ${MOST_ENDPOINTS} webhook endpoints in each mode; delete one first`;
      throw new AppError('validation_error', { message });
    }
    return { ...endpointView(row), secret };
  };
}
