import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * `node .configs/provenance.mjs <image> <image id> <build base> <run base> <began>` writes how an image was made: an
 * in-toto statement with SLSA provenance (https://slsa.dev/spec/v1.1/provenance). The image id is the digest of the image's
 * configuration, which stays the same in every registry. Nothing here signs it.
 */
const [image, id, buildBase, runBase, began] = process.argv.slice(2);
if (began === undefined) {
  console.error('usage: provenance.mjs <image> <image id> <build base> <run base> <began>');
  process.exit(64);
}
const git = (...args) =>
  execFileSync('git', ['-c', `safe.directory=${process.cwd()}`, ...args], { encoding: 'utf8' }).trim();
const commit = git('rev-parse', 'HEAD');
const isChanged = git('status', '--porcelain') !== '';

const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: image, digest: { sha256: id.replace(/^sha256:/, '') } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://github.com/group-payments/group-payments/blob/main/.configs/image.sh',
      externalParameters: { dockerfile: 'Dockerfile', target: 'run' },
      // A tree with changes is no release: whoever verifies refuses it.
      internalParameters: { hasUncommittedChanges: isChanged },
      resolvedDependencies: [
        { uri: 'git+file:.', digest: { gitCommit: commit } },
        { uri: 'package-lock.json', digest: { sha512: hash('package-lock.json') } },
        describeBase('BUILD_BASE', buildBase),
        describeBase('RUN_BASE', runBase),
      ],
    },
    runDetails: {
      builder: { id: 'https://github.com/group-payments/group-payments/blob/main/.configs/image.sh' },
      metadata: { startedOn: began, finishedOn: new Date().toISOString() },
    },
  },
};
process.stdout.write(`${JSON.stringify(statement, null, 2)}\n`);

function hash(file) {
  return createHash('sha512').update(readFileSync(file)).digest('hex');
}

/** A base without a digest is named as it is: nobody can say afterwards which one it was. */
function describeBase(name, base) {
  const [uri, digest] = base.split('@sha256:');
  return { name, uri, ...(digest && { digest: { sha256: digest } }) };
}
