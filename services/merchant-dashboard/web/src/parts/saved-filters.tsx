import { Button, Menu } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import type { FilteredList, SavedFilters as Saved } from '../../../src/http/api.ts';
import { useRead } from '../api/mode-api.ts';
import { Icon } from './icon.tsx';
import { listChosen } from './chosen-filters.ts';

const SaveDialog = lazy(async () => ({ default: (await import('./saved-filter-dialogs.tsx')).SaveDialog }));
const ManageDialog = lazy(async () => ({
  default: (await import('./saved-filter-dialogs.tsx')).ManageDialog,
}));

type Props = {
  readonly list: FilteredList;
  readonly address: {
    readonly filters: Readonly<Record<string, string>>;
    readonly open: (values: Readonly<Record<string, string>>) => void;
  };
};

/** A menu of the filters that the user has saved for a list, on whatever device: opens, saves, renames and deletes them. */
export function SavedFilters({ list, address: { filters, open } }: Props) {
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const read = useRead<Saved>(`/saved-filters?list=${list}`);
  const saved = read.data?.saved_filters ?? [];
  const chosen = listChosen(filters);
  const button = useRef<HTMLButtonElement>(null);
  const ask = (what: 'save' | 'manage') => {
    // A dialog gives the focus back to where it was, which the entry of a menu that has closed is not.
    button.current?.focus();
    setDialog(what);
  };
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        position="bottom-start"
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        onOpen={() => void read.refetch()}
      >
        <Menu.Target>
          <Button ref={button} variant="default" size="xs" leftSection={<Icon name="star" size={14} />}>
            Saved filters
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="saved-filters">
          {saved.map((filter) => (
            <Menu.Item key={filter.id} onClick={() => open(filter.filters)}>
              {filter.name}
            </Menu.Item>
          ))}
          {saved.length > 0 && <Menu.Divider />}
          <Menu.Item disabled={chosen === undefined} onClick={() => ask('save')}>
            {chosen ? 'Save these filters…' : 'Save these filters (choose some first)'}
          </Menu.Item>
          {saved.length > 0 && <Menu.Item onClick={() => ask('manage')}>Rename or delete…</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'save' && chosen && <SaveDialog list={list} filters={chosen} onClose={close} />}
        {dialog === 'manage' && <ManageDialog saved={saved} onClose={close} />}
      </Suspense>
    </>
  );
}
