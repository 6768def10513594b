import { rename, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

// Loaded into each service of a stack that is profiled. The signal begins a CPU profile, and the next one ends it and
// writes it as `<process id>.cpuprofile` into the folder.
const INTERVAL_US = 500;
const folder = process.env['PROFILE_FOLDER'] ?? '';
const session = new Session();
let isRunning = false;

async function begin(): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
}

async function end(): Promise<void> {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const file = join(folder, `${process.pid}.cpuprofile`);
  await writeFile(`${file}.part`, JSON.stringify(profile));
  await rename(`${file}.part`, file);
}

process.on('SIGUSR2', () => {
  isRunning = !isRunning;
  void (isRunning ? begin() : end());
});
