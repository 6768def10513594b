import { optional, secret, text, url, type ConfigOf } from '@gp/config';

// 43 digits of base64 hold 32 bytes and two bits; a 44th would be a 33rd byte. A wrapped key is longer.
const KEY = '(?:[A-Za-z0-9+/]{43}=|vault:v[0-9]{1,9}:[A-Za-z0-9+/]{43,1000}={0,2})';
/** The keys are in memory for as long as the process lives, so there are not many of them. */
const MOST_PREVIOUS = 16;
const PATH = /[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*/;

const kmsConfig = {
  kmsUrl: optional(
    url({
      describe:
        'Server of OpenBao or HashiCorp Vault whose transit engine unwraps encryption keys at the start; http: for an agent on this machine only',
      protocols: ['https:', 'http:'],
    }),
  ),
  kmsKey: optional(
    text({
      describe: 'Key of the transit engine that wraps the encryption keys of this service',
      pattern: /[A-Za-z0-9_.-]+/,
    }),
  ),
  kmsMount: text({ describe: 'Path of the transit engine', default: 'transit', pattern: PATH }),
  kmsCaFile: optional(
    text({
      describe: 'Certificates (PEM) of the authority that signed the KMS’ own; by default those of Node',
    }),
  ),
  kmsToken: optional(
    secret({
      describe: 'Token for the KMS; an agent, or a role, makes it unnecessary',
      pattern: /[\x21-\x7e]+/,
    }),
  ),
  kmsRole: optional(
    text({
      describe: 'Role for which this process logs in at the KMS, by a JWT',
      pattern: /[A-Za-z0-9_.-]+/,
    }),
  ),
  kmsLoginPath: text({
    describe: 'Path of that login',
    default: 'auth/kubernetes/login',
    pattern: PATH,
  }),
  kmsJwtFile: optional(text({ describe: 'File with the JWT, read at the start' })),
};

/** The settings of a service that stores secrets; `what` names the secrets that it seals. */
export const sealConfig = (what: string) => ({
  encryptionKey: secret({
    describe: `Seals ${what}: 32 random bytes in base64, or such a key as the KMS has wrapped it`,
    pattern: new RegExp(KEY),
  }),
  previousEncryptionKeys: optional(
    secret({
      describe: `Keys from before a rotation, separated by commas, ${MOST_PREVIOUS} at most; they only open`,
      pattern: new RegExp(`${KEY}(,${KEY}){0,${MOST_PREVIOUS - 1}}`),
    }),
  ),
  ...kmsConfig,
});

export type SealConfig = ConfigOf<ReturnType<typeof sealConfig>>;
