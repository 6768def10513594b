import { Alert, Text } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';

/** States above the form of a live payment what it does, before anything is typed. */
export function CardsAreCharged() {
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      role="note"
      title="Real cards are charged"
      icon={<Icon name="warning" />}
    >
      <Text size="sm">
        Whoever has the link pays with a real card, and the money goes to your gateway. Check the amounts:
        they cannot be changed later. The audit log records that you made the bill.
      </Text>
    </Alert>
  );
}
