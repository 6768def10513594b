export { compileApiContract, type ApiContract, type Exchange } from './api-contract/api-contract.ts';
export { certificateFor } from './certificate.ts';
export { childEnv } from './child-env.ts';
export { claimRange } from './claim-range.ts';
export { consumerLines } from './consumer-lines.ts';
export { createDataFolder } from './data-folder.ts';
export { drawPng, pngChunk, type DrawnPng } from './draw-png.ts';
export { eventually } from './eventually.ts';
export { findTool } from './find-tool.ts';
export { generatedFiles, mermaid, staleFiles, writeGenerated, type Generated } from './generated-files.ts';
export { freePort } from './free-port.ts';
export type {
  ConfirmingPayer,
  EmbeddedPayer,
  FormFields,
  GatewaySubject,
  RedirectPayer,
  TypedCard,
} from './gateway-subject.ts';
export { inert } from './inert.ts';
export { mailLogin, openMailServer, type MailServer, type ReceivedMail } from './mail-server.ts';
export { openPlatform, type Platform } from './platform.ts';
export type { PlatformWish } from './platform-pool.ts';
export { sharePlatform, type SharedPlatform } from './shared-platform.ts';
export { openPasskeyDevice, type PasskeyFault } from './passkey-device.ts';
export { createOperator, playOperators, type TestOperator } from './operators.ts';
export { patientPg } from './patient-pg.ts';
export { ownPostgres, testNats, type OwnServer } from './own-server.ts';
export { programFile } from '@gp/stack';
export { recordSteps, type RecordedStep } from './record-steps.ts';
export { buildCall, readWire, recordWire, wireAccount, wirePayment } from './record-wire.ts';
export { openRecordingServer, type RecordedRequest, type RecordingServer } from './recording-server.ts';
export { listRoutes } from './route-list.ts';
export { rotateEncryptionKey } from './rotate-encryption-key.ts';
export { runProgram, startService, type End, type ServiceProcess } from './service-process.ts';
export { testDatabase, testPostgres, type TestDatabase } from './test-database.ts';
export type { SchemaSource } from './templates.ts';
export { TimeoutError } from './timeout-error.ts';
