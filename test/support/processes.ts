import { sendUntilAnswered } from './api.ts';
import type { StackFile } from './stack.ts';

/** Ends a process of the stack, by its name there; resolves when it is gone. It stays down until `startProcess`. */
export async function stopProcess({ control }: StackFile, name: string): Promise<void> {
  await act(`${control}/processes/${name}/stop`);
}

/** Starts a process again that `stopProcess` has ended. */
export async function startProcess({ control }: StackFile, name: string): Promise<void> {
  await act(`${control}/processes/${name}/start`);
}

async function act(url: string): Promise<void> {
  const { status, body } = await sendUntilAnswered('POST', url);
  if (status !== 200) throw new Error(`${url} answers ${status}: ${JSON.stringify(body)}`);
}
