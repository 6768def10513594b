import { globSync } from 'node:fs';

/**
 * The sources of the programs that are bundled, relative to the root. The sandbox finds its parts by the names of their
 * folders, and the shop shows a merchant's own program: both run from their files.
 */
export function listBundledPrograms(root) {
  return globSync(
    [
      'services/{*,gateway-adapters/*}/src/{main,cli}.ts',
      'services/installation/src/{make-secrets,make-secret-files,migrate,streams,demo-group,smoke-test}.ts',
    ],
    { cwd: root, exclude: ['services/{psp-sandbox,sample-shop}/**'] },
  );
}
