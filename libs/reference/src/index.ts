export { collectionText, docsPage, docsTryItScript, openApi, openApiText, type Addresses } from './files.ts';
export type { Page } from './page/page.ts';
export { isObject, type JsonObject } from './json.ts';
