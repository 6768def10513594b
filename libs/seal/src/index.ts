export {
  keysFromSettings,
  keysFromTransit,
  listKeyFaults,
  openSeal,
  sealWith,
  type KmsSettings,
  type SealKeys,
} from './key-settings.ts';
export { sealUnder, type KeyProvider, type KeyRing, type Seal, type Sealed } from './seal.ts';
export type { Transit } from './transit.ts';
