/** How long `npm run attack -- --minutes 30` attacks; undefined for the bounded slice of a build. */
export const minutes = process.env['GP_ATTACK_MINUTES']
  ? Number(process.env['GP_ATTACK_MINUTES'])
  : undefined;

/** A build always asks the same; `--seed` asks something else. */
export const seed = Number(process.env['GP_ATTACK_SEED'] ?? 1);

/** Jest's timeout for a test of this kind, ms. */
export const patienceMs = Math.max(10, 4 * (minutes ?? 0)) * 60_000;

/** Writes a measured figure to the log of the run. */
export function report(what: string, value: unknown): void {
  process.stdout.write(`attack: ${what}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
}
