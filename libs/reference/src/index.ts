export { openApiDocument } from './openapi/document.ts';
export { guides } from './openapi/guides.ts';
