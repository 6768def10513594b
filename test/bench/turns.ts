import { round } from './ratios.ts';

/**
 * Measures rates a second of several sides: each once without recording it, so that its code is compiled, and then all in
 * turn, round by round. Returns the recorded rates of each side.
 */
export async function measureInTurn<Name extends string>(
  sides: Readonly<Record<Name, () => Promise<number>>>,
  o: { readonly rounds: number; readonly say: (line: string) => void },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await sides[name]();
  for (let turn = 0; turn < o.rounds; turn++) {
    for (const name of names) rates[name].push(await sides[name]());
    o.say(names.map((name) => `${name} ${round(rates[name].at(-1) ?? NaN, 0)}/s`).join(', '));
  }
  return rates;
}
