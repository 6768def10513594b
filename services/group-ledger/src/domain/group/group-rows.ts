import type { Failure } from '@gp/contracts';
import type { Group } from './group.ts';
import { moveTo, type Intent, type IntentPatch } from '../intent/intent.ts';

type Draft = { -readonly [K in keyof Group]: Group[K] };
type Rows = 'slots' | 'intents' | 'captures' | 'voids' | 'refundLines';
type Row<R extends Rows> = Group[R][number];
/** Names a row; its other columns may be out of date. */
export type Ref = { readonly id: string };

/** The rows of a group while a decision changes them. Rows that do not change stay the same objects. */
export class GroupRows {
  readonly before: Group;
  protected readonly draft: Draft;
  protected isPatched = false;

  constructor(before: Group) {
    this.before = before;
    this.draft = { ...before };
  }

  /** The group as decided so far. */
  get group(): Group {
    return this.draft;
  }

  patchGroup(patch: Partial<Omit<Group, Rows>>): void {
    this.isPatched = true;
    Object.assign(this.draft, patch);
  }

  add<R extends Rows>(rows: R, row: Row<R>): void {
    this.write(rows, [...this.draft[rows], row]);
  }

  /** Replaces columns of the row with this id as it is by now, and returns the new row. */
  patch<R extends Exclude<Rows, 'intents'>>(rows: R, { id }: Ref, patch: Partial<Row<R>>): Row<R> {
    return this.replace(rows, { ...this.row(rows, id), ...patch });
  }

  /** Replaces columns of the intent that do not belong to its state, and returns the new intent. */
  patchIntent({ id }: Ref, patch: IntentPatch): Intent {
    return this.replace('intents', { ...this.row('intents', id), ...patch });
  }

  /** Gives a failed intent another reason. */
  replaceFailure({ id }: Ref, failure: Failure): void {
    const intent = this.row('intents', id);
    this.replace('intents', moveTo(intent, intent.state, { failure }));
  }

  /** Returns the intent as it is by now. */
  intent({ id }: Ref): Intent {
    return this.row('intents', id);
  }

  protected row<R extends Rows>(rows: R, id: string): Row<R> {
    const row = this.draft[rows].find((each) => each.id === id);
    if (!row) throw new Error(`the group has no row ${id} among its ${rows}`);
    return row;
  }

  protected replace<R extends Rows>(rows: R, next: Row<R>): Row<R> {
    this.write(
      rows,
      this.draft[rows].map((each) => (each.id === next.id ? next : each)),
    );
    return next;
  }

  private write<R extends Rows>(rows: R, next: readonly Row<R>[]): void {
    this.isPatched = true;
    this.draft[rows] = next as unknown as Group[R];
  }
}
