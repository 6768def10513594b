import { OPERATED, type Operated } from '@gp/contracts';
import { AppError } from '@gp/errors';

/**
 * Asks one service, or all of them at once, for a list; each item says whose it is. Services that do not answer are
 * named beside what the others said, so that a list that is not whole cannot be taken for one that is.
 */
export async function gather<T extends object>(
  only: Operated | undefined,
  noun: string,
  ask: (context: Operated) => Promise<readonly T[]>,
): Promise<Record<string, unknown>> {
  const contexts = only === undefined ? OPERATED : [only];
  const answers = await Promise.all(
    contexts.map(async (service) => {
      try {
        return { service, items: (await ask(service)).map((item) => ({ service, ...item })) };
      } catch (error) {
        if (only !== undefined || !isSilence(error)) throw error;
        return { service, items: undefined };
      }
    }),
  );
  const silent = answers.filter(({ items }) => items === undefined).map(({ service }) => service);
  return { [noun]: answers.flatMap(({ items }) => items ?? []), unanswered: silent };
}

function isSilence(error: unknown): boolean {
  return error instanceof AppError && ['service_unavailable', 'deadline_exceeded'].includes(error.code);
}
