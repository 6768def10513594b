/** The reason why an endpoint gave no response, in words for a merchant's developer. */
const REASONS: Readonly<Record<string, string>> = {
  address_blocked: 'address is not allowed',
  dns: 'name not found',
  connect: 'connection refused',
  connect_timeout: 'no connection in time',
  tls: 'TLS failed',
  reset: 'connection cut',
  timeout: 'no answer in time',
  protocol: 'not an HTTP answer',
};

/** Returns a class of error in words; one of a newer release stays as it is. */
export function describeErrorClass(errorClass: string): string {
  return REASONS[errorClass] ?? errorClass;
}

type EndpointFailure = {
  readonly address: string;
  readonly failing_since: string;
  readonly http_status: number | null;
  readonly error_class: string | null;
  readonly waiting: number;
  readonly given_up: number;
};

/** Returns the sentences of a mail about an endpoint that acknowledges nothing; instants are in UTC. */
export function describeEndpointFailure(o: EndpointFailure): string[] {
  return [
    `${o.address} has acknowledged nothing since ${formatUtc(o.failing_since)}. ${describeLatest(o)}`.trim(),
    [
      ...(o.given_up > 0
        ? [`${count(o.given_up)} failed in every try and ${is(o.given_up)} not sent any more.`]
        : []),
      o.waiting > 0
        ? `${count(o.waiting)} ${is(o.waiting)} waiting and will be tried again.`
        : 'None is waiting.',
    ].join(' '),
  ];
}

function describeLatest({ http_status, error_class }: EndpointFailure): string {
  if (error_class !== null) return `Last result: ${describeErrorClass(error_class)}.`;
  return http_status === null ? '' : `Last result: it answered ${http_status}.`;
}

const formatUtc = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;
const count = (deliveries: number): string => (deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`);
const is = (deliveries: number): string => (deliveries === 1 ? 'is' : 'are');
