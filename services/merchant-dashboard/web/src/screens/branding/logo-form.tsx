import { Button, FileButton, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FailureNote } from '../../parts/failure-note.tsx';
import { logoAddress } from '../../shell/branding.ts';
import { useMay } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';
import { LogoPreview } from './page-preview.tsx';
import { prepareLogo, type SentLogo } from './prepare-logo.ts';

type Choice = {
  readonly saved: string | null;
  readonly isSaving: boolean;
  readonly onSave: (logo: SentLogo | null) => void;
};

/** The logo of the merchant's checkout page: shown, chosen and looked at before it is saved, and removed. */
export function LogoForm({ saved, isSaving, onSave }: Choice) {
  const mayManage = useMay('branding.manage');
  const [chosen, setChosen] = useTyped<SentLogo | undefined>('logo', undefined);
  const prepare = useMutation({ mutationFn: prepareLogo, onSuccess: setChosen });
  const src = chosen ? toDataUrl(chosen) : saved && logoAddress(saved);
  return (
    <>
      {mayManage && (
        <Text size="sm" c="dimmed">
          A PNG, JPEG or WebP picture. One that is larger than 64 kB or 1024 pixels is made smaller here. It
          stands on white, in light and dark mode.
        </Text>
      )}
      {src ? <LogoPreview src={src} /> : <Text my="md">Payers see no logo yet.</Text>}
      {mayManage && (
        <Group gap="sm" mt="md">
          {chosen && (
            <Button loading={isSaving} disabled={prepare.isPending} onClick={() => onSave(chosen)}>
              Save logo
            </Button>
          )}
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            inputProps={{ 'aria-label': 'Picture of the logo' }}
            onChange={(file) => file && prepare.mutate(file)}
          >
            {(open) => (
              <Button {...open} variant="default" loading={prepare.isPending}>
                {src ? 'Choose another picture' : 'Choose a picture'}
              </Button>
            )}
          </FileButton>
          {chosen && (
            <Button variant="subtle" onClick={() => setChosen(undefined)}>
              Discard
            </Button>
          )}
          {saved !== null && !chosen && (
            <Button variant="subtle" color="red" loading={isSaving} onClick={() => onSave(null)}>
              Remove logo
            </Button>
          )}
        </Group>
      )}
      {prepare.isError && <FailureNote error={prepare.error} />}
    </>
  );
}

const toDataUrl = ({ media_type, content }: SentLogo): string => `data:${media_type};base64,${content}`;
