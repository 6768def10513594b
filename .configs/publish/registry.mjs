import { digestOf, MANIFEST } from './oci.mjs';

const CALL_MS = 300_000;

/**
 * A repository of a registry, as `host/path`, through the distribution protocol
 * (https://github.com/opencontainers/distribution-spec). `user` and `password` are used where the registry asks for them.
 */
export function openRepository(name, { plainHttp = false, user, password } = {}) {
  const [host, ...path] = name.split('/');
  const home = `${plainHttp ? 'http' : 'https'}://${host}/v2/${path.join('/')}`;
  const basic = user && `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  let authorization;

  /** Follows one challenge of the registry: a token of its own server, or the password itself. */
  async function answer(challenge) {
    const [, scheme = '', rest = ''] = /^(\w+)\s*(.*)$/.exec(challenge ?? '') ?? [];
    if (/^basic$/i.test(scheme)) return basic;
    const { realm, ...given } = Object.fromEntries(
      [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, v]),
    );
    if (realm === undefined) return undefined;
    const scope = `repository:${path.join('/')}:pull,push`;
    const url = `${realm}?${new URLSearchParams({ ...given, scope })}`;
    const response = await fetch(url, { headers: basic ? { authorization: basic } : {} });
    const { token, access_token: other } = response.ok ? await response.json() : {};
    return token || other ? `Bearer ${token ?? other}` : undefined;
  }

  async function send(method, url, { body, headers = {} } = {}) {
    for (let isAsked = false; ; isAsked = true) {
      const response = await fetch(url, {
        method,
        body,
        headers: { ...headers, ...(authorization && { authorization }) },
        signal: AbortSignal.timeout(CALL_MS),
      });
      if (response.status !== 401 || isAsked) return response;
      authorization = await answer(response.headers.get('www-authenticate'));
    }
  }

  async function expectStatus(response, statuses, act) {
    if (statuses.includes(response.status)) return response;
    throw new Error(`${act} at ${name} answered ${response.status}: ${await response.text()}`);
  }

  async function pushBlob({ bytes, descriptor: { digest } }) {
    const there = await send('HEAD', `${home}/blobs/${digest}`);
    if (there.status === 200) return;
    const begun = await expectStatus(await send('POST', `${home}/blobs/uploads/`), [202], 'an upload');
    const place = new URL(begun.headers.get('location'), home);
    place.searchParams.set('digest', digest);
    const headers = { 'content-type': 'application/octet-stream' };
    await expectStatus(await send('PUT', place, { body: bytes, headers }), [201], `the blob ${digest}`);
  }

  /** Pulls a manifest by tag or digest, as bytes with their digest; undefined where there is none. */
  async function pull(reference) {
    const accept = [MANIFEST, 'application/vnd.docker.distribution.manifest.v2+json'].join(', ');
    const response = await send('GET', `${home}/manifests/${reference}`, { headers: { accept } });
    if (response.status === 404) return undefined;
    await expectStatus(response, [200], `the manifest ${reference}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { bytes, digest: digestOf(bytes) };
  }

  /** Pulls a blob. Throws when the registry sends other content. */
  async function pullBlob(digest) {
    const response = await expectStatus(await send('GET', `${home}/blobs/${digest}`), [200], digest);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (digestOf(bytes) !== digest) throw new Error(`${name} sent other content for ${digest}`);
    return bytes;
  }

  return {
    name,
    pull,
    pullBlob,
    /** Pushes an artifact under its tag; returns its digest. What the registry has already is not sent again. */
    async push({ tag, manifest, blobs }) {
      for (const part of blobs) await pushBlob(part);
      const headers = { 'content-type': manifest.descriptor.mediaType };
      const response = await send('PUT', `${home}/manifests/${tag}`, { body: manifest.bytes, headers });
      await expectStatus(response, [201], `the manifest ${tag}`);
      return manifest.descriptor.digest;
    },
    /** Pulls an artifact with all its blobs. */
    async pullWhole(tag) {
      const found = await pull(tag);
      if (found === undefined) throw new Error(`${name} has no ${tag}`);
      const { mediaType, config, layers } = JSON.parse(found.bytes.toString('utf8'));
      const descriptor = { mediaType: mediaType ?? MANIFEST, digest: found.digest, size: found.bytes.length };
      const blobs = [config, ...layers].map(async (part) => ({
        bytes: await pullBlob(part.digest),
        descriptor: part,
      }));
      return { tag, manifest: { bytes: found.bytes, descriptor }, blobs: await Promise.all(blobs) };
    },
  };
}
