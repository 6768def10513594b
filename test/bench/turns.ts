import { round } from './ratios.ts';

/**
 * Measures rates a second of several sides: each once without recording it, so that its code is compiled, and then all in
 * turn, round by round. Returns the recorded rates of each side.
 */
export async function measureInTurn<Sides extends Readonly<Record<string, Side>>>(
  sides: Sides,
  o: { readonly rounds: number; readonly say: (line: string) => void },
): Promise<{ [Name in keyof Sides]: number[] }> {
  const all = Object.entries<Side>(sides).map(([name, measure]) => ({
    name,
    measure,
    rates: [] as number[],
  }));
  for (const { measure } of all) await measure();
  for (let turn = 0; turn < o.rounds; turn++) {
    for (const { measure, rates } of all) rates.push(await measure());
    o.say(all.map(({ name, rates }) => `${name} ${round(rates.at(-1) ?? NaN, 0)}/s`).join(', '));
  }
  return Object.fromEntries(all.map(({ name, rates }) => [name, rates])) as {
    [Name in keyof Sides]: number[];
  };
}

/** Measures one round of a side. */
type Side = () => Promise<number>;
