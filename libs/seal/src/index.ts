export { sealWith, type Seal, type Sealed, type SealKeys } from './seal.ts';
