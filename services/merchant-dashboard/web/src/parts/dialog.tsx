import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A dialog that is open as long as it is there. The library gives the focus back to where it was when a dialog closes, but
 * not when it goes altogether: a keyboard would begin at the top of the page.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The dialog has left the page by then, and took the focus with it.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    },
    [before],
  );
  return <Modal opened {...props} />;
}
