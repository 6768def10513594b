import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const REPOSITORY = 'https://github.com/group-payments/group-payments/blob/main';

const git = (...args) =>
  execFileSync('git', ['-c', `safe.directory=${process.cwd()}`, ...args], { encoding: 'utf8' }).trim();

/** How the chart was made: from which commit, by which script (https://slsa.dev/spec/v1.1/provenance). */
export function describeChart({ repository, digest, began }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [toSubject(repository, digest)],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${REPOSITORY}/.configs/publish.mjs`,
        externalParameters: { chart: 'charts/group-payments' },
        // A tree with changes is no release: whoever verifies refuses it.
        internalParameters: { hasUncommittedChanges: git('status', '--porcelain') !== '' },
        resolvedDependencies: [{ uri: 'git+file:.', digest: { gitCommit: git('rev-parse', 'HEAD') } }],
      },
      runDetails: {
        builder: { id: `${REPOSITORY}/.configs/publish.mjs` },
        metadata: { startedOn: began, finishedOn: new Date().toISOString() },
      },
    },
  };
}

/** How the image was made, and what is in it: both are beside it since it was built (`npm run image`). */
export function describeImage({ repository, digest }) {
  const subject = toSubject(repository, digest);
  const provenance = readJson('.data/provenance.json');
  const materials = readJson('.data/sbom.cdx.json');
  return [
    { ...provenance, subject: [subject, ...provenance.subject] },
    {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [subject],
      predicateType: 'https://cyclonedx.org/bom',
      predicate: materials,
    },
  ];
}

const toSubject = (name, digest) => ({ name, digest: { sha256: digest.slice('sha256:'.length) } });

function readJson(file) {
  if (!existsSync(file)) throw new Error(`${file} is missing: \`npm run image\` writes it with the image`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
