import { useEffect, useRef } from 'preact/hooks';
import { Bill } from '../ui/bill.tsx';
import { focusTitle } from '../ui/focus-title.ts';
import { Spoken, Stale } from '../ui/notice.tsx';
import { findEnding, Panel } from '../ui/panel.tsx';
import { ViewProvider } from '../ui/view.ts';
import { CallOff } from './call-off.tsx';
import { Missing } from './missing.tsx';
import { MoreTime } from './more-time.tsx';
import { useOrganiser, type OrganiserView } from './model.ts';
import { SlotList } from './slot-list.tsx';
import type { MessageKey } from '../i18n/en.ts';

/** The whole page of a group's organiser. */
export function OrganiserApp({ view }: { view: OrganiserView }) {
  return (
    <ViewProvider value={view}>
      <Page />
    </ViewProvider>
  );
}

function Page() {
  const { model, t } = useOrganiser();
  const isOpen = model.awaitsPayers.value;
  useFocusOnEnd(isOpen);
  const { may, group } = model.bootstrap;
  return (
    <div class="page organiser">
      <Stale />
      <header>
        <p class="eyebrow">{t('eyebrow')}</p>
      </header>
      <main class="content">
        <Bill />
        <div class="flow">
          {isOpen ? <Missing /> : <Ending />}
          <SlotList />
          {isOpen && may.includes('extend') && <MoreTime />}
          {isOpen && may.includes('cancel') && <CallOff />}
        </div>
      </main>
      <footer class="foot">
        <p>{t('order', { id: group.order_id })}</p>
      </footer>
      <Spoken />
    </div>
  );
}

/** How the group ended. */
function Ending() {
  const { model, t } = useOrganiser();
  const ending = findEnding(model);
  if (!ending) return null;
  const [stem, mood] = ending;
  return (
    <Panel title={t(`${stem}Title` as MessageKey)} mood={mood}>
      <p>{t(`${stem}Text` as MessageKey)}</p>
    </Panel>
  );
}

/** Moves the focus to the title of how the group ended; a page that is opened later does not take it. */
function useFocusOnEnd(isOpen: boolean): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    focusTitle();
  }, [isOpen]);
}
