import { lazy, Suspense, useState } from 'react';
import { AccountIcon } from './account-icon.tsx';

const loadMenu = () => import('./account-menu.tsx');
const AccountMenu = lazy(loadMenu);

/** Opens the menu of the account, whose code is loaded when somebody points at the button or presses it. */
export function AccountButton() {
  const [isWanted, setWanted] = useState(false);
  const warmUp = () => void loadMenu().catch(() => undefined);
  const button = (
    <AccountIcon
      aria-expanded={false}
      onPointerEnter={warmUp}
      onFocus={warmUp}
      onClick={() => setWanted(true)}
    />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  ) : (
    button
  );
}
