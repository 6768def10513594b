import type { TransportError } from '../domain/delivery-result.ts';
import { DeadlineExceeded, isBrokenLine } from './exchange.ts';
import { AddressBlocked, UnknownHost } from './resolve.ts';

/** Names the reason why there was no answer, for the merchant and the metrics. */
export function errorClass(error: Error): TransportError {
  if (error instanceof AddressBlocked) return 'address_blocked';
  if (error instanceof UnknownHost) return 'dns';
  if (error instanceof DeadlineExceeded) return 'timeout';
  const code = readCode(error);
  if (code === 'ERR_IP_BLOCKED') return 'address_blocked';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'connect_timeout';
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'connect';
  if (isBrokenLine(error)) return 'reset';
  if (isAboutTls(code)) return 'tls';
  return 'protocol';
}

function readCode(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** OpenSSL's verification results have no common prefix; the rest of TLS is ERR_TLS_… and ERR_SSL_…. */
const CERTIFICATE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO$)/;
const isAboutTls = (code: string): boolean => CERTIFICATE.test(code);
