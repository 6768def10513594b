import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';

const QrDialog = lazy(() => import('./qr-dialog.tsx'));

/** Shows the link of payers as a QR code, to be printed or saved. */
export function QrButton({ url, name }: { url: string; name: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        QR code
      </Button>
      {isOpen && (
        <Suspense>
          <QrDialog url={url} name={name} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
