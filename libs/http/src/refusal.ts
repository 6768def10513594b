import type { Duplex } from 'node:stream';
import { AppError, toHttp, type ErrorCode } from '@gp/errors';
import { newRequestId } from './head.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Which refusal a parser's or timer's complaint deserves. */
export function refusalOf(error: NodeJS.ErrnoException): ErrorCode {
  return codes[error.code ?? ''] ?? 'malformed_request';
}

/** Answers a request that never became one, in the documented shape, and closes the connection. */
export function refuse(socket: Duplex, code: ErrorCode): void {
  const requestId = newRequestId();
  const { status, body } = toHttp(new AppError(code), requestId);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${body.error}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
