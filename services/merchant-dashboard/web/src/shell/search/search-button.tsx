import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../../parts/icon.tsx';

const SearchDialog = lazy(() => import('./search-dialog.tsx'));

/** Opens the search from every screen: by a button in the header, by Ctrl+K (on a Mac by Command+K), or by `/`. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  // In fields `/` is a letter, and Ctrl+K is not.
  useHotkeys([['mod+K', open]], []);
  useHotkeys([['/', open]]);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="md"
        aria-keyshortcuts="Control+K Meta+K"
        leftSection={<Icon name="search" size={14} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={open}
      >
        Find
      </Button>
      <ActionIcon variant="subtle" color="gray" size="lg" hiddenFrom="md" aria-label="Find" onClick={open}>
        <Icon name="search" />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
