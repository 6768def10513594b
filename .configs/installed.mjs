/**
 * `node .configs/installed.mjs [run]` exits with 0 when node_modules holds what package-lock.json asks for on this machine,
 * with `run` the part that the product needs to run, and with 1 when an install is due. npm keeps its own record of what
 * it installed, written last, so an interrupted install shows.
 */
import { readFileSync } from 'node:fs';

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

const wanted = packagesOf('../package-lock.json');
const installed = packagesOf('../node_modules/.package-lock.json');
if (!wanted || !installed) process.exit(1);

const onlyToRun = process.argv[2] === 'run';
const allows = (list, value) => list === undefined || list.includes(value);
const rootOptional = wanted[''].optionalDependencies ?? {};

/** npm leaves optional packages of other platforms out; ours for this platform must be there. */
function isNeeded(path, { optional, os, cpu }) {
  const name = path.replace('node_modules/', '');
  return !optional || (name in rootOptional && allows(os, process.platform) && allows(cpu, process.arch));
}

const isDue = Object.entries(wanted).some(([path, entry]) => {
  if (!path.includes('node_modules/') || (onlyToRun && entry.dev)) return false;
  const present = installed[path];
  return present ? present.version !== entry.version : isNeeded(path, entry);
});
process.exit(isDue ? 1 : 0);
