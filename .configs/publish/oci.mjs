import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of OCI images that are used here: https://github.com/opencontainers/image-spec. */
export const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX = 'application/vnd.oci.image.index.v1+json';
export const EMPTY = 'application/vnd.oci.empty.v1+json';

/** Names bytes by their content. */
export const digestOf = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A blob with its descriptor; `json` values are written without spaces. */
export function blob(mediaType, content, annotations) {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const descriptor = {
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
    ...(annotations && { annotations }),
  };
  return { bytes, descriptor };
}

/**
 * An artifact: a manifest over a configuration and layers. `subject` is the descriptor of what it is about, `tag` the name
 * under which it is pushed.
 */
export function artifact({ tag, artifactType, config = blob(EMPTY, {}), layers, subject, annotations }) {
  const manifest = blob(MANIFEST, {
    schemaVersion: 2,
    mediaType: MANIFEST,
    ...(artifactType && { artifactType }),
    config: config.descriptor,
    layers: layers.map(({ descriptor }) => descriptor),
    ...(subject && { subject }),
    ...(annotations && { annotations }),
  });
  return { tag, manifest, blobs: [config, ...layers] };
}

/** Writes artifacts as an OCI layout, which tools read without a registry. */
export function writeLayout(folder, artifacts) {
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  for (const { manifest, blobs: parts } of artifacts)
    for (const { bytes, descriptor } of [manifest, ...parts])
      writeFileSync(join(blobs, descriptor.digest.slice('sha256:'.length)), bytes);
  const manifests = artifacts.map(({ tag, manifest }) => ({
    ...manifest.descriptor,
    annotations: { 'org.opencontainers.image.ref.name': tag },
  }));
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(
    join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests }),
  );
}

/** Reads the one image of a layout that another tool wrote, under the tag it shall have. Throws on a blob that is another. */
export function readLayout(folder, tag) {
  const read = (descriptor) => {
    const bytes = readFileSync(join(folder, 'blobs/sha256', descriptor.digest.slice('sha256:'.length)));
    if (digestOf(bytes) !== descriptor.digest)
      throw new Error(`${descriptor.digest} in ${folder} has other content`);
    return { bytes, descriptor };
  };
  const { manifests } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  if (manifests.length !== 1) throw new Error(`${folder} has ${manifests.length} images instead of one`);
  const manifest = read(manifests[0]);
  const { config, layers } = JSON.parse(manifest.bytes.toString('utf8'));
  const { annotations: _name, ...descriptor } = manifest.descriptor;
  return { tag, manifest: { ...manifest, descriptor }, blobs: [config, ...layers].map(read) };
}
