import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { artifact, blob } from './oci.mjs';

/**
 * Signatures and attestations in the form of cosign (https://github.com/sigstore/cosign/tree/main/specs), made with a key
 * of one's own and without a transparency log: `cosign verify --key … --insecure-ignore-tlog` reads them. The key is
 * ECDSA over P-256, in PEM.
 */
const SIMPLE = 'application/vnd.dev.cosign.simplesigning.v1+json';
const ENVELOPE = 'application/vnd.dsse.envelope.v1+json';
const STATEMENT = 'application/vnd.in-toto+json';
const SIGNATURE = 'dev.cosignproject.cosign/signature';

/** The tag under which cosign looks for what belongs to a digest. */
const tagFor = (digest, suffix) => `${digest.replace(':', '-')}.${suffix}`;

/** Reads a private key. Throws when it is no P-256 key. */
export function readSigningKey(pem) {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('the signing key must be ECDSA over P-256');
  return key;
}

/** Signs that a repository has this digest. */
export function signDigest(key, { repository, digest }) {
  const payload = Buffer.from(
    JSON.stringify({
      critical: {
        identity: { 'docker-reference': repository },
        image: { 'docker-manifest-digest': digest },
        type: 'cosign container image signature',
      },
      optional: null,
    }),
  );
  const layer = blob(SIMPLE, payload, { [SIGNATURE]: sign('sha256', payload, key).toString('base64') });
  return artifact({ tag: tagFor(digest, 'sig'), layers: [layer] });
}

/** Signs in-toto statements about a digest. */
export function attest(key, { digest, statements }) {
  const layers = statements.map((statement) => {
    const payload = Buffer.from(JSON.stringify(statement));
    const sig = sign('sha256', encodeBeforeSigning(payload), key).toString('base64');
    const envelope = {
      payloadType: STATEMENT,
      payload: payload.toString('base64'),
      signatures: [{ keyid: '', sig }],
    };
    return blob(ENVELOPE, envelope, { predicateType: statement.predicateType, [SIGNATURE]: '' });
  });
  return artifact({ tag: tagFor(digest, 'att'), layers });
}

/** What a DSSE envelope signs: type and payload with their lengths, so that neither can pass for the other. */
function encodeBeforeSigning(payload) {
  const head = `DSSEv1 ${Buffer.byteLength(STATEMENT)} ${STATEMENT} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/**
 * Verifies what a repository has under a reference: that the key has signed its digest for this repository, and the
 * statements about it. Returns the digest and the statements; throws with the reason otherwise.
 */
export async function verifyReference(publicPem, repository, reference) {
  const key = createPublicKey(publicPem);
  const subject = await repository.pull(reference);
  if (subject === undefined) throw new Error(`${repository.name} has nothing under ${reference}`);
  const { digest } = subject;
  const [{ payload, annotations }] = await readLayers(repository, tagFor(digest, 'sig'));
  const signature = Buffer.from(annotations[SIGNATURE] ?? '', 'base64');
  if (!verify('sha256', payload, key, signature))
    throw new Error(`the signature of ${digest} is of another key`);
  const { critical } = JSON.parse(payload.toString('utf8'));
  if (critical.image['docker-manifest-digest'] !== digest) throw new Error(`what is signed is not ${digest}`);
  if (critical.identity['docker-reference'] !== repository.name)
    throw new Error(`what is signed is for ${critical.identity['docker-reference']}`);
  const layers = await readLayers(repository, tagFor(digest, 'att'));
  return { digest, statements: layers.map((layer) => verifyStatement(key, digest, layer.payload)) };
}

function verifyStatement(key, digest, bytes) {
  const envelope = JSON.parse(bytes.toString('utf8'));
  const payload = Buffer.from(envelope.payload, 'base64');
  const signature = Buffer.from(envelope.signatures[0].sig, 'base64');
  if (envelope.payloadType !== STATEMENT || !verify('sha256', encodeBeforeSigning(payload), key, signature))
    throw new Error(`the statement about ${digest} is of another key`);
  const statement = JSON.parse(payload.toString('utf8'));
  const named = statement.subject.map((one) => `sha256:${one.digest.sha256}`);
  if (!named.includes(digest)) throw new Error(`the statement is about ${named.join()}, not ${digest}`);
  return statement;
}

async function readLayers(repository, tag) {
  const manifest = await repository.pull(tag);
  if (manifest === undefined) throw new Error(`${repository.name} has no ${tag}`);
  const { layers } = JSON.parse(manifest.bytes.toString('utf8'));
  return Promise.all(
    layers.map(async ({ digest, annotations = {} }) => ({
      payload: await repository.pullBlob(digest),
      annotations,
    })),
  );
}
