import { openStack } from '@gp/stack';
import { readStackFile, root, type StackFile } from './stack.ts';

/** A stack to work with: the one that is running already, else one started for the occasion and stopped again. */
export async function useStack(
  say: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ stack: StackFile; close(): Promise<void> }> {
  const running = await readStackFile().catch(() => undefined);
  if (running && (await answers(running.api))) {
    say(`using the stack that is running at ${running.api}`);
    return { stack: running, close: () => Promise.resolve() };
  }
  const opened = await openStack({ root, say, env });
  return { stack: await readStackFile(), close: () => opened.stop() };
}

function answers(api: string): Promise<boolean> {
  return fetch(`${api}/v1/group-payments`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.status === 401,
    () => false,
  );
}
