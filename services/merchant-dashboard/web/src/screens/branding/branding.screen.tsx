import { Button, Group, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { Branding } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { readOnlyUnless, RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { brandingQuery, contactQuery } from '../../shell/branding.ts';
import { useMode } from '../../shell/mode.ts';
import { useMay, useMember } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';
import { ContactForm } from './contact-form.tsx';
import { LogoForm } from './logo-form.tsx';
import { NameForm } from './name-form.tsx';
import { PagePreview } from './page-preview.tsx';
import type { SentLogo } from './prepare-logo.ts';

/** The merchant's name, the logo and the colour of the checkout page, and whom payers may ask. */
export default function BrandingScreen() {
  const mode = useMode();
  const queries = useQueryClient();
  const member = useMember();
  const { queryKey } = brandingQuery(mode);
  const branding = useQuery(brandingQuery(mode));
  const contact = useQuery(contactQuery(mode));
  const save = useMutation({
    mutationFn: (brand_color: string | null) =>
      send<Branding>('/api/branding', { method: 'PUT', body: { mode, brand_color } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
  const saveLogo = useMutation({
    mutationFn: (logo: SentLogo | null) =>
      send<Branding>('/api/branding/logo', { method: 'PUT', body: { mode, logo } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
  return (
    <Page title="Branding" lead="Payers see your name, your logo and your colour on the checkout page.">
      <RoleNote permission="branding.manage" to="change the logo, the colour and the contact" />
      {member && (
        <Section title="Name">
          <NameForm key={member.merchant_name} saved={member.merchant_name} />
        </Section>
      )}
      {branding.isError && <FailureNote error={branding.error} onRetry={() => void branding.refetch()} />}
      {branding.isPending && <Skeleton height={180} role="status" aria-label="Loading" />}
      {branding.data && (
        <Section title="Logo">
          <LogoForm
            key={`${mode} ${branding.data.logo}`}
            saved={branding.data.logo}
            isSaving={saveLogo.isPending}
            onSave={(logo) => saveLogo.mutate(logo)}
          />
          {saveLogo.isError && <FailureNote error={saveLogo.error} />}
        </Section>
      )}
      {branding.data && (
        <Section title="Colour">
          <ColorForm
            key={`${mode} ${branding.data.brand_color}`}
            saved={branding.data.brand_color}
            isSaving={save.isPending}
            onSave={(color) => save.mutate(color)}
          />
          {save.isError && <FailureNote error={save.error} />}
        </Section>
      )}
      {contact.isError && <FailureNote error={contact.error} onRetry={() => void contact.refetch()} />}
      {contact.data && (
        <Section title="Contact">
          <ContactForm
            key={`${mode} ${contact.data.support_email} ${contact.data.support_url}`}
            saved={contact.data}
          />
        </Section>
      )}
    </Page>
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;
/** Where the picker of the browser starts, which knows no empty value: the colour of the page as it comes. */
const OURS = '#1f5f8b';

type Choice = {
  readonly saved: string | null;
  readonly isSaving: boolean;
  readonly onSave: (color: string | null) => void;
};

function ColorForm({ saved, isSaving, onSave }: Choice) {
  const [entered, setEntered] = useTyped('colour', saved ?? '');
  const mayManage = useMay('branding.manage');
  const color = entered.trim();
  const isColor = COLOR.test(color);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSave(color === '' ? null : color);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Colour"
          description="For buttons and marks, such as #0b5d3b; left empty, our own"
          placeholder={OURS}
          pattern="\s*#[0-9A-Fa-f]{6}\s*"
          title="# and six digits from 0 to 9 and a to f"
          maxLength={20}
          flex={1}
          miw={200}
          {...readOnlyUnless(mayManage)}
          value={entered}
          onChange={(event) => setEntered(event.currentTarget.value)}
        />
        {mayManage && (
          <input
            type="color"
            className="color-picker"
            aria-label="Pick a colour"
            value={isColor ? color.toLowerCase() : OURS}
            onChange={(event) => setEntered(event.currentTarget.value)}
          />
        )}
        {mayManage && (
          <Button type="submit" loading={isSaving} disabled={color.toLowerCase() === (saved ?? '')}>
            Save
          </Button>
        )}
      </Group>
      <PagePreview color={isColor ? color : OURS} />
    </form>
  );
}
