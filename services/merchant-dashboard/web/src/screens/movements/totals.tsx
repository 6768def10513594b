import { Table } from '@mantine/core';
import type { MovementSum } from '../../../../src/http/api.ts';
import { Amount } from '../../parts/amount.tsx';
import { Section } from '../../parts/section.tsx';
import { HEADINGS, isNothing } from '../money/columns.ts';

/** Shows how much moved in all that the filters match, by currency and kind. */
export function Totals({ totals }: { totals: readonly MovementSum[] }) {
  const hasTips = totals.some(({ tips }) => !isNothing(tips));
  return (
    <Section title="Totals">
      {/* A keyboard scrolls what it can focus. */}
      <div tabIndex={0} role="region" aria-label="Totals by currency and kind" className="wide-table">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What moved</Table.Th>
              <Table.Th ta="end">Movements</Table.Th>
              <Table.Th ta="end">Amount</Table.Th>
              {hasTips && <Table.Th ta="end">Tips in it</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {totals.map(({ kind, count, amount, tips }) => (
              <Table.Tr key={`${amount.currency} ${kind}`}>
                <Table.Th scope="row" fw="inherit">
                  {HEADINGS[kind]}, {amount.currency}
                </Table.Th>
                <Table.Td ta="end" data-heading="Movements">
                  {count}
                </Table.Td>
                <Table.Td ta="end" data-heading="Amount">
                  <Amount of={amount} />
                </Table.Td>
                {hasTips && (
                  <Table.Td ta="end" data-heading="Tips in it">
                    {!isNothing(tips) && <Amount of={tips} />}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}
