import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  /** What the table lists, for those who do not see it. */
  readonly name: string;
  /** Below this width the table is scrolled, px. */
  readonly minWidth: number;
  readonly children: ReactNode;
};

/**
 * Keeps a table as wide as it must be: on a narrow screen it is scrolled, by the arrow keys too. On a phone each row is a card,
 * with the `data-heading` of a cell before its content.
 */
export function ScrolledTable({ name, minWidth, children }: Props) {
  // A keyboard scrolls what it can focus.
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={name}
      className="wide-table"
      style={{ '--min-width': `${minWidth}px` }}
    >
      {children}
    </Box>
  );
}
