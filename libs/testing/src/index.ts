export { eventually } from './eventually.ts';
export { generatedFiles, mermaid, staleFiles, writeGenerated, type Generated } from './generated-files.ts';
export { freePort } from './free-port.ts';
export { ownPostgres, testNats, type OwnServer } from './own-server.ts';
export { runSource, startService, type End, type ServiceProcess } from './service-process.ts';
export { testDatabase, testPostgres, type TestDatabase } from './test-database.ts';
export type { SchemaSource } from './templates.ts';
export { TimeoutError } from './timeout-error.ts';
export { contract, contractOf, type Contract, type Exchange } from './contract.ts';
