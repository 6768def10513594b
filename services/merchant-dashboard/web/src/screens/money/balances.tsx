import { SimpleGrid } from '@mantine/core';
import type { ShownBalance } from '../../../../src/http/api.ts';
import { Amount } from '../../parts/amount.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Section } from '../../parts/section.tsx';
import { isNothing } from './columns.ts';

/** Shows how the money stands now: a card for each gateway and currency. */
export function Balances({ balances }: { balances: readonly ShownBalance[] }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing={0}>
      {balances.map((balance) => (
        <Balance key={`${balance.psp_code} ${balance.currency}`} balance={balance} />
      ))}
    </SimpleGrid>
  );
}

function Balance({ balance }: { balance: ShownBalance }) {
  const { psp_code, currency, returned, reversed, disputed } = balance;
  return (
    <Section title={`${currency} at ${psp_code}`}>
      <SimpleGrid cols={2} component="dl" m={0} spacing="sm">
        <Fact name="On hold now">
          <strong>
            <Amount of={balance.on_hold} />
          </strong>
        </Fact>
        <Fact name="Net: captured, not given back">
          <strong>
            <Amount of={balance.net} />
          </strong>
        </Fact>
        {!isNothing(balance.tips) && (
          <Fact name="Tips in the net amount">
            <Amount of={balance.tips} />
          </Fact>
        )}
        <Fact name="Captured">
          <Amount of={balance.captured} />
        </Fact>
        <Fact name="Refunded">
          <Amount of={balance.refunded} />
        </Fact>
        {!isNothing(returned) && (
          <Fact name="Refunds returned">
            <Amount of={returned} />
          </Fact>
        )}
        <Fact name="Reversed by card schemes">
          <Amount of={reversed} />
        </Fact>
        <Fact name="In disputes, open or lost">
          <Amount of={disputed} />
        </Fact>
      </SimpleGrid>
    </Section>
  );
}
