/** One row for each status: which status each trigger leads to. A missing trigger is illegal. */
export type Table<S extends string, T extends string> = {
  readonly [status in S]: { readonly [trigger in T]?: S };
};

export type MachineSpec<S extends string, T extends string> = {
  readonly name: string;
  readonly initial: NoInfer<S>;
  readonly triggers: readonly T[];
  // NoInfer: the statuses are the table's rows, not the statuses named in its cells.
  readonly table: { readonly [status in S]: { readonly [trigger in NoInfer<T>]?: NoInfer<S> } };
};

export type Cell<S, T> = { readonly from: S; readonly trigger: T; readonly to: S | null };

export type Machine<S extends string, T extends string> = {
  readonly name: string;
  readonly initial: S;
  readonly statuses: readonly S[];
  readonly triggers: readonly T[];
  /** Statuses without a trigger that leads on. */
  readonly final: readonly S[];
  /** Returns the status that the trigger leads to; undefined when the trigger is illegal. */
  next(status: S, trigger: T): S | undefined;
  /** Returns every status × trigger, in table order; `to` is null where nothing happens. */
  matrix(): readonly Cell<S, T>[];
  /** Returns the statuses that no chain of triggers reaches from the initial one. */
  unreachable(): readonly S[];
  /** Returns the table as a Mermaid state diagram. */
  diagram(): string;
};

/** Builds a machine from its table; throws when the table names a status or trigger that is not declared. */
export function defineMachine<S extends string, T extends string>(spec: MachineSpec<S, T>): Machine<S, T> {
  const statuses = Object.keys(spec.table) as S[];
  const next = (status: S, trigger: T): S | undefined => {
    const row = own(spec.table, status);
    return row && own(row, trigger);
  };
  const cells = statuses.flatMap((from) =>
    spec.triggers.map((trigger) => ({ from, trigger, to: next(from, trigger) ?? null })),
  );
  assertDeclared(spec, statuses);
  const final = statuses.filter((status) => cells.every(({ from, to }) => from !== status || to === null));

  return Object.freeze({
    name: spec.name,
    initial: spec.initial,
    statuses,
    triggers: spec.triggers,
    final,
    next,
    matrix: () => cells,
    unreachable: () => {
      const reached = reachable(spec.initial, cells);
      return statuses.filter((status) => !reached.has(status));
    },
    diagram: () => drawing(spec.initial, cells, final),
  });
}

// Statuses come from rows and messages too: 'constructor' must lead nowhere, like any unknown word.
function own<O extends object, K extends keyof O>(object: O, key: K): O[K] | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function assertDeclared<S extends string, T extends string>(
  spec: MachineSpec<S, T>,
  statuses: readonly S[],
): void {
  const faults: string[] = [];
  if (!statuses.includes(spec.initial)) faults.push(`initial status ${spec.initial}`);
  for (const [status, row] of Object.entries<Table<S, T>[S]>(spec.table)) {
    for (const [trigger, to] of Object.entries<S | undefined>(row)) {
      if (!spec.triggers.includes(trigger as T)) faults.push(`trigger ${trigger} of ${status}`);
      if (to !== undefined && !statuses.includes(to)) faults.push(`status ${to} after ${status}`);
    }
  }
  if (faults.length > 0) throw new Error(`machine ${spec.name} does not declare: ${faults.join(', ')}`);
}

function reachable<S extends string>(initial: S, cells: readonly Cell<S, string>[]): ReadonlySet<S> {
  const reached = new Set([initial]);
  // A Set's iteration includes values added meanwhile, so this ends when no new status is found.
  for (const status of reached) {
    for (const { from, to } of cells) if (from === status && to !== null) reached.add(to);
  }
  return reached;
}

function drawing<S extends string>(
  initial: S,
  cells: readonly Cell<S, string>[],
  final: readonly S[],
): string {
  const arrows = new Map<string, string[]>();
  for (const { from, trigger, to } of cells) {
    if (to === null) continue;
    const arrow = `${from} --> ${to}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), trigger]);
  }
  return [
    'stateDiagram-v2',
    `  [*] --> ${initial}`,
    ...[...arrows].map(([arrow, triggers]) => `  ${arrow}: ${triggers.join(', ')}`),
    ...final.map((status) => `  ${status} --> [*]`),
    '',
  ].join('\n');
}
