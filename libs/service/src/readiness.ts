import { failureClass } from '@gp/telemetry';

/** Resolves when this service can take new work; returns false or rejects when it cannot. */
export type Probe = () => boolean | void | Promise<boolean | void>;
export type ReadyReport = { readonly ready: boolean; readonly failing: Readonly<Record<string, string>> };
export type Readiness = { add(name: string, probe: Probe): void; check(): Promise<ReadyReport> };

/** Shorter than the second a kubelet waits by default, so that it gets a reason and not a timeout. */
const probeTimeoutMs = 900;

/** Keeps the probes of a service and runs them all at once; a slow one counts as failing. */
export function readiness(): Readiness {
  const probes = new Map<string, Probe>();
  return {
    add: (name, probe) => void probes.set(name, probe),
    async check() {
      const verdicts = await Promise.all(
        [...probes].map(async ([name, probe]) => ({ name, reason: await ask(probe) })),
      );
      const failing = Object.fromEntries(
        verdicts.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
      );
      return { ready: Object.keys(failing).length === 0, failing };
    },
  };
}

/** Returns the reason a probe fails for, as a code that may be shown; undefined when it succeeds. */
async function ask(probe: Probe): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), probeTimeoutMs);
  });
  const answer = async () => ((await probe()) === false ? 'unavailable' : undefined);
  try {
    return await Promise.race([answer().catch(failureClass), late]);
  } finally {
    clearTimeout(timer);
  }
}
