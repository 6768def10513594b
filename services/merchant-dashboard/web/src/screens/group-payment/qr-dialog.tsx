import { Button, Group, Image, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toDataURL } from 'qrcode';
import { Dialog } from '../../parts/dialog.tsx';

/** Sharp on paper at the size of a hand. */
const SIDE_PX = 800;

/** The link of payers as a QR code. What the browser prints while it is open is the code and the name of the bill alone. */
export default function QrDialog({ url, name, onClose }: { url: string; name: string; onClose: () => void }) {
  const picture = useQuery({
    queryKey: ['qr', url],
    queryFn: () => toDataURL(url, { width: SIDE_PX, margin: 2 }),
    staleTime: Infinity,
  });
  return (
    <Dialog onClose={onClose} title="QR code for payers" className="printed-alone">
      <Text fw={600} ta="center">
        {name}
      </Text>
      {picture.data ? (
        <Image src={picture.data} w={280} h={280} mx="auto" my="sm" alt="QR code with the link for payers" />
      ) : (
        <Skeleton w={280} h={280} mx="auto" my="sm" role="status" aria-label="Loading" />
      )}
      <Text size="xs" c="dimmed" ta="center" mb="md" className="identifier-whole">
        {url}
      </Text>
      <Group justify="center" className="unprinted">
        <Button onClick={() => window.print()} disabled={!picture.data}>
          Print
        </Button>
        {picture.data && (
          <Button component="a" variant="default" href={picture.data} download="payment-qr.png">
            Save as a picture
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
