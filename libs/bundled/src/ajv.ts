import formats from 'ajv-formats';

export { Ajv, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv';
export const addFormats = formats.default;
