import type { Bootstrap } from './bootstrap.ts';

/** One group payment, as its payers see it. */
export function Checkout({ bootstrap: { group } }: { bootstrap: Bootstrap }) {
  return (
    <main>
      <h1>{group.name}</h1>
      <ul>
        {group.slots.map((slot) => (
          <li key={slot.id}>
            {slot.sequence_no}: {slot.amount_minor} {group.currency} {slot.state}
          </li>
        ))}
      </ul>
    </main>
  );
}
