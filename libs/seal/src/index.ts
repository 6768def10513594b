export { keysFromSettings, openSeal, sealWith, type SealKeys } from './key-settings.ts';
export { sealUnder, type KeyProvider, type KeyRing, type Seal, type Sealed } from './seal.ts';
