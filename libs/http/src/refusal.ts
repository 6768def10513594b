import type { Duplex } from 'node:stream';
import { AppError, toHttp, type ErrorCode } from '@gp/errors';
import { newRequestId } from './head.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Returns the error code for an error of the parser or of a timer. */
export function toRefusalCode(error: NodeJS.ErrnoException): ErrorCode {
  return codes[error.code ?? ''] ?? 'malformed_request';
}

/** Refuses input that never became a request, in the documented shape, and closes the connection. */
export function refuse(socket: Duplex, code: ErrorCode, docsUrl?: string): void {
  const requestId = newRequestId();
  const { status, body } = toHttp(new AppError(code), requestId, docsUrl);
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
