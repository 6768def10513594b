export { catalogue, documentedTexts, errorCodes, isErrorCode } from './catalogue.ts';
export type { CatalogueEntry, ErrorCode, ErrorStatus } from './catalogue.ts';
export { advice } from './advice.ts';
export type { Advice } from './advice.ts';
export { AppError, fromWire, notFound, toWire, validationError } from './app-error.ts';
export type { ErrorData, ErrorDetail, WireError } from './app-error.ts';
export { apiVersion, toHttp } from './http-error.ts';
export type { ErrorBody, HttpError } from './http-error.ts';
