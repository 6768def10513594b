import { Box, Table, Text } from '@mantine/core';
import type { Money, ShownStatement } from '../../../../src/http/api.ts';
import { formatDay } from '../../format/instant.ts';
import { Amount } from '../../parts/amount.tsx';
import { Section } from '../../parts/section.tsx';
import { listColumns, type AmountName } from './columns.ts';

type Amounts = Readonly<Partial<Record<AmountName, Money>>>;

/** Shows the days of one gateway and currency between opening and closing balance. */
export function Statement({ statement }: { statement: ShownStatement }) {
  const { psp_code, currency, opening, days, movements, closing } = statement;
  const columns = listColumns(statement);
  const title = `${currency} at ${psp_code} by day`;
  const row = (heading: string, amounts: Amounts, isSum = true) => (
    <Table.Tr key={heading} fw={isSum ? 650 : undefined}>
      <Table.Th scope="row" fw="inherit">
        {heading}
      </Table.Th>
      {columns.map(({ name, heading: column }) => {
        const amount = amounts[name];
        return (
          <Table.Td key={name} ta="end" data-heading={column}>
            {amount && <Amount of={amount} />}
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
  return (
    <Section title={title}>
      {/* A keyboard scrolls what it can focus. */}
      <Box tabIndex={0} role="region" aria-label={`Movements of ${title}`} className="wide-table">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day</Table.Th>
              {columns.map(({ name, heading }) => (
                <Table.Th key={name} ta="end">
                  {heading}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {row('Opening balance', opening)}
            {days.map(({ day, ...amounts }) => row(formatDay(day), amounts, false))}
            {row('Movements', movements)}
            {row('Closing balance', closing)}
          </Table.Tbody>
        </Table>
      </Box>
      {days.length === 0 && (
        <Text c="dimmed" size="sm" mt="sm">
          Nothing moved in this month.
        </Text>
      )}
    </Section>
  );
}
