import { readFile } from 'node:fs/promises';
import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Mode, PspCode } from '@gp/contracts';

export type UnknownPayments = { readonly known: number; readonly strays: readonly string[] };

/** Sends the file's references to the gateway's adapter, in batches, and returns those that are unknown. */
export async function findUnknownPayments(
  bus: Bus,
  o: { merchant_id: string; mode: Mode; psp_code: PspCode; file: string },
): Promise<UnknownPayments> {
  const { psp_code, file, ...request } = o;
  const references = (await readFile(file, 'utf8'))
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const found = { known: 0, strays: [] as string[] };
  for (let at = 0; at < references.length; at += contracts.MAX_REFERENCES) {
    const psp_references = references.slice(at, at + contracts.MAX_REFERENCES);
    const part = await bus.call(contracts.findUnknownPayments(psp_code), { ...request, psp_references });
    found.known += part.known;
    found.strays.push(...part.strays);
  }
  return found;
}
