import { open, readFile } from 'node:fs/promises';
import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { AuditHead } from '@gp/contracts';
import { followChain, type ChainCheck, type ChainedEntry } from './audit-chain.ts';

export type AuditReport = { readonly merchants: number; readonly entries: number };

/** Entries and merchants in one answer of the dashboard. */
const PAGE = 200;

/**
 * Reads every merchant's chain from the dashboard and computes each hash again; with the file of an earlier export, also
 * compares the entries of then. Throws with every fault that it found.
 */
export async function verifyAudit(bus: Bus, o: { file?: string | undefined }): Promise<AuditReport> {
  const faults: string[] = [];
  const exported =
    o.file === undefined ? new Map<string, Map<number, string>>() : await readExport(o.file, faults);
  const report = await readChains(bus, faults, (entry) => {
    const then = exported.get(entry.merchant_id)?.get(entry.position);
    if (then !== undefined && then !== entry.hash)
      faults.push(`merchant ${entry.merchant_id}, entry ${entry.position}: differs from the export`);
    exported.get(entry.merchant_id)?.delete(entry.position);
  });
  for (const [merchant, left] of exported)
    for (const position of left.keys())
      faults.push(`merchant ${merchant}, entry ${position}: is in the export and no longer in the log`);
  assertIntact(faults);
  return report;
}

/** Writes every merchant's chain to a new file, one entry a line, and verifies it on the way. */
export async function exportAudit(
  bus: Bus,
  { file }: { file: string },
): Promise<AuditReport & { file: string }> {
  const faults: string[] = [];
  // An earlier export is what a later one is compared with: it is never overwritten.
  const out = await open(file, 'wx', 0o600);
  try {
    const report = await readChains(bus, faults, (entry) => out.appendFile(`${JSON.stringify(entry)}\n`));
    await out.sync();
    assertIntact(faults);
    return { file, ...report };
  } finally {
    await out.close();
  }
}

function assertIntact(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the audit log is not intact:\n${faults.join('\n')}`);
}

type Look = (entry: ChainedEntry) => unknown;

async function readChains(bus: Bus, faults: string[], look: Look): Promise<AuditReport> {
  const report = { merchants: 0, entries: 0 };
  let after: string | null = null;
  for (;;) {
    const { heads }: { heads: AuditHead[] } = await bus.call(contracts.listAuditHeads, {
      after,
      limit: PAGE,
    });
    for (const head of heads) {
      report.merchants += 1;
      report.entries += await readChain(bus, head, faults, look);
    }
    after = heads.at(-1)?.merchant_id ?? null;
    if (after === null) return report;
  }
}

/** Reads the chain up to its head: what was logged since then is the next verification's. */
async function readChain(bus: Bus, head: AuditHead, faults: string[], look: Look): Promise<number> {
  const check = followChain();
  const { merchant_id } = head;
  while (check.last().position < head.position) {
    const { links } = await bus.call(contracts.listAuditLinks, {
      merchant_id,
      after: check.last().position,
      limit: PAGE,
    });
    if (links.length === 0) break;
    for (const link of links.slice(0, head.position - check.last().position)) {
      const entry = { merchant_id, ...link };
      faults.push(...listFaults(check, entry));
      await look(entry);
    }
  }
  const { position, hash } = check.last();
  if (position !== head.position || (head.hash ?? '') !== hash)
    faults.push(`merchant ${merchant_id}: the chain ends at ${position} and not at ${head.position}`);
  if (head.entries !== head.position)
    faults.push(
      `merchant ${merchant_id}: ${head.entries} entries are logged and ${head.position} are in the chain`,
    );
  return position;
}

const listFaults = (check: ChainCheck, entry: ChainedEntry): string[] => {
  const fault = check.take(entry);
  return fault === undefined ? [] : [fault];
};

/** Reads an export and follows its chains: a file that was changed proves nothing. */
async function readExport(file: string, faults: string[]): Promise<Map<string, Map<number, string>>> {
  const checks = new Map<string, ChainCheck>();
  const exported = new Map<string, Map<number, string>>();
  for (const line of (await readFile(file, 'utf8')).split('\n').filter((each) => each !== '')) {
    const entry = JSON.parse(line) as ChainedEntry;
    const check = checks.get(entry.merchant_id) ?? followChain();
    checks.set(entry.merchant_id, check);
    faults.push(...listFaults(check, entry).map((fault) => `${file}: ${fault}`));
    const hashes = exported.get(entry.merchant_id) ?? new Map<number, string>();
    exported.set(entry.merchant_id, hashes.set(entry.position, entry.hash));
  }
  return exported;
}
