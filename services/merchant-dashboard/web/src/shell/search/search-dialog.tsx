import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import type { GroupPaymentSearch } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LONGEST_SEARCH } from '../../screens/group-payments/search.ts';
import { useMode } from '../mode.ts';
import { listFound, listLookUps, listScreens } from './destinations.ts';

/** How long the user pauses before the backend is asked, ms. */
const PAUSE_MS = 250;
const SHORTEST_SEARCH = 2;

/** Finds group payments, customers, requests, events and pages while the user types; Enter opens the first. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const mode = useMode();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const wanted = text.trim();
  const [settled] = useDebouncedValue(wanted, PAUSE_MS);
  const found = useRead<GroupPaymentSearch>(`/search${formatQuery({ text: settled })}`, {
    enabled: settled.length >= SHORTEST_SEARCH,
  });
  const isCurrent = settled === wanted && !found.isFetching;
  const data = settled === wanted && wanted.length >= SHORTEST_SEARCH ? found.data : undefined;
  const groups = data ? listFound(mode, data) : [];
  const destinations = [
    ...groups,
    ...(groups.length === 0 ? listLookUps(mode, wanted) : []),
    ...listScreens(mode, wanted),
  ];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [first] = destinations;
    // What is still being looked for would come before a page.
    if (!first || (!isCurrent && first.kind === 'Page' && wanted.length >= SHORTEST_SEARCH)) return;
    onClose();
    void navigate(first.to);
  };
  return (
    <Dialog onClose={onClose} title="Find anything" size="lg" yOffset="10vh">
      <search onKeyDown={moveFocus}>
        <form onSubmit={submit}>
          <TextInput
            type="search"
            aria-label="Search for"
            placeholder="Name, e-mail address, order number, reference, id or page"
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            maxLength={LONGEST_SEARCH}
            leftSection={<Icon name="search" size={16} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </form>
        <Text size="xs" c="dimmed" mt="xs" role="status">
          {describe({ wanted, isCurrent, isFailed: found.isError, count: destinations.length })}
        </Text>
        <ul className="destinations" aria-label="Results">
          {destinations.map(({ kind, title, detail, to }) => (
            <li key={to}>
              <Link to={to} className="destination" onClick={onClose}>
                <span>
                  <Text component="span" size="sm" fw={600}>
                    {title}
                  </Text>
                  {detail !== '' && (
                    <Text component="span" size="xs" c="dimmed" display="block">
                      {detail}
                    </Text>
                  )}
                </span>
                <Text component="span" size="xs" c="dimmed">
                  {kind}
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      </search>
    </Dialog>
  );
}

type State = {
  readonly wanted: string;
  readonly isCurrent: boolean;
  readonly isFailed: boolean;
  readonly count: number;
};

function describe({ wanted, isCurrent, isFailed, count }: State): string {
  if (wanted.length < SHORTEST_SEARCH)
    return 'Type what the payer told you. An e-mail address has to be complete.';
  if (!isCurrent) return 'Searching…';
  if (isFailed) return 'Payments cannot be searched at the moment. Try again shortly.';
  if (count === 0) return 'Nothing in this mode begins like this. An e-mail address has to be complete.';
  return count === 1 ? '1 result' : `${count} results`;
}

/** The arrow keys move between the field and the results. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops.at((at + step) % stops.length)?.focus();
}
