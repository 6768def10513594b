import { drawPng } from '@gp/testing';

export const id = '0198c3f0-0000-7000-8000-00000000000a';

/** A place in a list as pages pass it back, for any list. */
export const encodeCursor = (place: unknown): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

const email = 'a@b.example';
const password = 'long enough to be one';
const token = 'A'.repeat(43);
const period = { created_after: '2026-01-01T00:00:00Z', created_before: '2026-02-01T00:00:00Z' };
const cursor = encodeCursor({ created_at: '2026-01-01T00:00:00.000Z', id });
const nothing = {};
const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} };

const signature = {
  ...credential,
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
};

/** Valid input of every route that writes, so that a single spoilt field reaches its own check. */
export const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /api/signup': { merchant_name: 'X', email, password },
  'POST /api/signup/confirm': { token },
  'POST /api/login': { email, password: 'x' },
  'POST /api/login/second-factor': { code: '000000' },
  'POST /api/login/passkey/options': nothing,
  'POST /api/login/passkey': { response: signature },
  'POST /api/logout': nothing,
  'POST /api/password-reset': { email },
  'POST /api/password-reset/confirm': { token, password },
  'POST /api/reauthenticate': { password: 'x' },
  'POST /api/reauthenticate/passkey/options': nothing,
  'POST /api/reauthenticate/passkey': { response: signature },
  'PUT /api/profile/password': { current_password: 'x', password },
  'DELETE /api/profile/sessions': nothing,
  'DELETE /api/profile/sessions/:id': nothing,
  'POST /api/profile/second-factor': nothing,
  'POST /api/profile/second-factor/confirm': { code: '000000' },
  'POST /api/profile/second-factor/recovery-codes': nothing,
  'DELETE /api/profile/second-factor': nothing,
  'POST /api/profile/passkeys/options': nothing,
  'POST /api/profile/passkeys': {
    name: 'phone',
    response: {
      ...credential,
      response: { clientDataJSON: 'e30', attestationObject: 'AAAA', transports: ['internal'] },
    },
  },
  'DELETE /api/profile/passkeys/:id': nothing,
  'POST /api/team/invitations': { email, role: 'viewer' },
  'DELETE /api/team/invitations/:id': nothing,
  'PUT /api/team/members/:id': { role: 'viewer' },
  'PUT /api/team/second-factor': { required: false },
  'DELETE /api/team/members/:id': nothing,
  'POST /api/invitations/look': { token },
  'POST /api/invitations/accept': { token, password },
  'POST /api/keys': {
    mode: 'test',
    name: 'server',
    scopes: ['read'],
    expires_at: '2090-01-01T00:00:00Z',
    allowed_addresses: ['203.0.113.0/24'],
  },
  'POST /api/keys/:id/roll': { overlap_seconds: 0 },
  'DELETE /api/keys/:id': nothing,
  'POST /api/gateways': { mode: 'test', psp_code: 'gateway_a', credentials: { secret_key: 'x' } },
  'PUT /api/gateways/active': { mode: 'test', psp_code: 'gateway_a' },
  'POST /api/gateways/verify': { mode: 'test', psp_code: 'gateway_a' },
  'DELETE /api/gateways/:psp_code': nothing,
  'PUT /api/branding/logo': {
    mode: 'test',
    logo: { media_type: 'image/png', content: drawPng().toString('base64') },
  },
  'PUT /api/payer-mails': { mode: 'test', payer_mails: true },
  'PUT /api/support-contact': {
    mode: 'test',
    support_email: 'hello@casalola.example',
    support_url: 'https://casalola.example/help',
  },
  'PUT /api/organiser-rights': { mode: 'test', organiser_rights: ['remind'] },
  'PUT /api/business-name': { business_name: 'Casa Lola' },
  'PUT /api/branding': { mode: 'test', brand_color: '#0b5d3b' },
  'PUT /api/origins': { mode: 'test', origins: ['https://shop.example'] },
  'POST /api/group-payments/:id/revoke-sessions': { mode: 'test' },
  'POST /api/test/group-payments/:id/refund': { slot_ids: [id] },
  'POST /api/test/group-payments/:id/cancel': nothing,
  'POST /api/test/group-payments/:id/roll-checkout-link': nothing,
  'POST /api/test/group-payments/:id/roll-organiser-link': nothing,
  'POST /api/test/webhooks': {
    url: 'https://shop.example/hooks',
    description: 'shop',
    event_types: ['group_payment.paid'],
  },
  'POST /api/test/saved-filters': { list: 'group-payments', name: 'Paid', filters: { state: 'paid' } },
  'PATCH /api/test/saved-filters/:id': { name: 'Paid' },
  'DELETE /api/test/saved-filters/:id': nothing,
  'PATCH /api/test/webhooks/:id': {
    url: 'https://shop.example/hooks',
    description: 'shop',
    enabled: true,
    event_types: [],
  },
  'DELETE /api/test/webhooks/:id': nothing,
  'POST /api/test/webhooks/:id/roll-secret': { overlap_seconds: 0 },
  'POST /api/test/webhooks/:id/test': { event_type: 'group_payment.paid' },
  'POST /api/test/webhooks/:id/deliveries/:delivery_id/resend': nothing,
  'POST /api/test/webhooks/:id/recover': { since: period.created_after, until: period.created_before },
  'POST /api/test/clock/advance': { seconds: 60 },
  'POST /api/test/clock/reset': nothing,
  'POST /api/test/group-payments': {
    group_name: 'Dinner',
    total_amount: '30.00',
    currency: 'EUR',
    number_of_slots: 3,
    expires_in_seconds: 3_600,
    organiser: { may: ['remind'] },
    capture_at_expiry: { minimum_amount: '20.00' },
    max_tip: '5.00',
  },
  'POST /api/test/sandbox-account': { psp_code: 'gateway_a' },
};

const statement = { from: '2026-01-01', to: '2026-01-31', time_zone: 'Europe/Madrid' };
const movements = { kind: 'captured', currency: 'EUR', psp_code: 'gateway_a' };

/** Valid input of every address with a query, likewise. */
export const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /api/audit': { limit: '10', cursor: id, action: 'webhook' },
  'GET /api/audit/export': { format: 'csv' },
  'GET /api/team/export': { format: 'csv' },
  'DELETE /api/team/members/:id': { end_keys: 'true' },
  'GET /api/keys': { mode: 'test' },
  'GET /api/gateways': { mode: 'test' },
  'DELETE /api/gateways/:psp_code': { mode: 'test' },
  'GET /api/origins': { mode: 'test' },
  'GET /api/payer-mails': { mode: 'test' },
  'GET /api/support-contact': { mode: 'test' },
  'GET /api/test/saved-filters': { list: 'events' },
  'GET /api/organiser-rights': { mode: 'test' },
  'GET /api/branding': { mode: 'test' },
  'GET /api/logos/:file': nothing,
  'GET /api/test/group-payments': { limit: '10', state: 'open', disputed: 'true', ...period, cursor },
  // Takes no offset beside a cursor.
  'GET /api/test/group-payments?': { offset: '0' },
  'GET /api/test/group-payments/export': { state: 'open', disputed: 'true', ...period, format: 'csv' },
  // Takes no filter beside a search.
  'GET /api/test/group-payments/export?': { text: 'order-1', format: 'csv' },
  'GET /api/test/payments/export': { state: 'open', disputed: 'true', ...period, format: 'csv' },
  'GET /api/test/payments/export?': { text: 'order-1', format: 'jsonl' },
  'GET /api/test/search': { text: 'order-1' },
  'GET /api/test/customers': {
    limit: '10',
    cursor,
    customer_email: email,
    ...period,
    last_payment_after: period.created_after,
    last_payment_before: period.created_before,
  },
  'GET /api/test/customers/:id': nothing,
  'GET /api/test/customers/:id/payments': { limit: '10', cursor },
  'GET /api/test/group-payments/:id': nothing,
  'GET /api/test/group-payments/:id/refund-preview': { slot_ids: `${id},${id}` },
  'GET /api/test/webhooks/:id': nothing,
  'GET /api/test/webhooks/:id/deliveries': {
    limit: '10',
    cursor,
    state: 'delivered',
    event_type: 'group_payment.paid',
  },
  'GET /api/test/webhooks/:id/deliveries/export': {
    state: 'delivered',
    event_type: 'group_payment.paid',
    format: 'csv',
  },
  'GET /api/test/webhooks/:id/recoveries/:recovery_id': nothing,
  'GET /api/test/events': {
    limit: '10',
    cursor,
    type: 'group_payment.paid',
    group_payment_id: id,
    ...period,
    delivered: 'true',
  },
  'GET /api/test/events/export': {
    type: 'group_payment.paid',
    group_payment_id: id,
    ...period,
    delivered: 'true',
    format: 'csv',
  },
  'GET /api/test/events/:id': nothing,
  'GET /api/test/requests': {
    limit: '10',
    cursor,
    status_class: '4xx',
    method: 'POST',
    path: '/v1/group-payments',
    key_id: id,
    request_id: 'req_1',
    ...period,
  },
  'GET /api/test/requests/export': {
    status_class: '4xx',
    method: 'POST',
    path: '/v1/group-payments',
    key_id: id,
    request_id: 'req_1',
    ...period,
    format: 'jsonl',
  },
  'GET /api/test/requests/:id': nothing,
  'GET /api/test/statement': statement,
  'GET /api/test/statement/export': { ...statement, format: 'csv' },
  'GET /api/test/movements': { ...statement, ...movements, cursor: id, limit: '10' },
  'GET /api/test/movements/export': { ...statement, ...movements, format: 'csv' },
  'GET /api/test/charts/money': { days: '7' },
  'GET /api/test/charts/webhooks': { days: '7' },
};
