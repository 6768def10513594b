import { OPERATED, type Operated } from '@gp/contracts';
import { AppError } from '@gp/errors';

/**
 * Requests a list from one service, or from all of them at once; each item names its service. Services that do not
 * reply are listed beside the results, so that an incomplete list cannot be mistaken for a complete one.
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
