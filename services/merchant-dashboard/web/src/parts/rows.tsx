import { Box, Button, Group, Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';

type Props<T> = {
  readonly label: string;
  /** Headings, and the width of each column in CSS grid syntax. */
  readonly columns: readonly (readonly [heading: string, width: string])[];
  /** Headings that stand before their cells on phones, where nothing else tells two cells apart. */
  readonly onPhones?: readonly string[];
  readonly items: readonly T[];
  readonly toKey: (item: T) => string;
  readonly toHref: (item: T) => string;
  readonly cells: (item: T) => readonly ReactNode[];
};

/** A list whose rows are links: columns on wide screens, cards on phones. */
export function Rows<T>({ label, columns, onPhones = [], items, toKey, toHref, cells }: Props<T>) {
  const template = columns.map(([, width]) => width).join(' ');
  return (
    <Box className="rows" style={{ '--columns': template }}>
      <div className="rows-head" aria-hidden>
        {columns.map(([heading]) => (
          <span key={heading}>{heading}</span>
        ))}
      </div>
      <ul aria-label={label}>
        {items.map((item) => (
          <li key={toKey(item)}>
            <Link to={toHref(item)} className="row">
              {cells(item).map((cell, index) => (
                <Cell key={columns[index]?.[0]} heading={columns[index]?.[0] ?? ''} onPhones={onPhones}>
                  {cell}
                </Cell>
              ))}
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  );
}

type CellProps = {
  readonly heading: string;
  readonly onPhones: readonly string[];
  readonly children: ReactNode;
};

function Cell({ heading, onPhones, children }: CellProps) {
  return (
    <span className="cell">
      {onPhones.includes(heading) ? (
        <span className="cell-heading">{heading}: </span>
      ) : (
        <VisuallyHidden>{heading}: </VisuallyHidden>
      )}
      {children}
    </span>
  );
}

/** Placeholders as high as the rows that are loading. */
export function SkeletonRows({ count = 8 }: { count?: number }) {
  return (
    <Box role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={44} mb={8} />
      ))}
    </Box>
  );
}

/** Pages through a list by the cursor in the address. */
export function Pager({ next }: { next: string | null }) {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const at = (cursor: string | null) => {
    const other = new URLSearchParams(search);
    other.delete('cursor');
    if (cursor !== null) other.set('cursor', cursor);
    return `${pathname}?${other.toString()}`;
  };
  const isFirst = !search.has('cursor');
  if (isFirst && next === null) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="space-between" mt="md">
      {isFirst ? (
        <span />
      ) : (
        <Button component={Link} to={at(null)} variant="default" size="xs">
          First page
        </Button>
      )}
      {next !== null && (
        <Button component={Link} to={at(next)} variant="default" size="xs">
          Next page
        </Button>
      )}
    </Group>
  );
}
