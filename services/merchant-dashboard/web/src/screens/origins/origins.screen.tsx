import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { send } from '../../api/send.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';

type Origins = { readonly origins: readonly string[] };

/** The addresses of shops whose pages may show the widget and use session tokens. */
export default function OriginsScreen() {
  const mode = useMode();
  const queries = useQueryClient();
  const queryKey = [mode, 'origins'];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => send<Origins>(`/api/origins?mode=${mode}`, { signal }),
  });
  const save = useMutation({
    mutationFn: (origins: readonly string[]) =>
      send<Origins>('/api/origins', { method: 'PUT', body: { mode, origins } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
  const mayManage = useMay('keys.manage');
  const origins = list.data?.origins ?? [];
  return (
    <Page
      title="Web origins"
      lead="Pages of these addresses may show the widget and pay with session tokens. Nobody else’s browser page may."
    >
      <RoleNote permission="keys.manage" to="register or remove web origins" />
      {list.isError && <FailureNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton height={180} role="status" aria-label="Loading" />}
      {list.data && (
        <Section title="Registered">
          {origins.length === 0 && (
            <EmptyState icon="shield" title="No origin yet">
              An origin is the beginning of your shop’s address, such as https://shop.example: no path, no
              slash at the end. The hosted checkout page works without.
            </EmptyState>
          )}
          <ul className="plain-list" aria-label="Registered origins">
            {origins.map((origin) => (
              <li key={origin} className="card-line">
                <code className="address">{origin}</code>
                {mayManage && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Remove ${origin}`}
                    disabled={save.isPending}
                    onClick={() => save.mutate(origins.filter((other) => other !== origin))}
                  >
                    Remove
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {save.isError && <FailureNote error={save.error} />}
          {mayManage && (
            <Add
              isRunning={save.isPending}
              onAdd={(origin) => save.mutateAsync([...origins.filter((other) => other !== origin), origin])}
            />
          )}
        </Section>
      )}
    </Page>
  );
}

function Add({ isRunning, onAdd }: { isRunning: boolean; onAdd: (origin: string) => Promise<unknown> }) {
  const [origin, setOrigin] = useTyped('origin', '');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // A refused text stays in the field, beside the reason.
    onAdd(origin.trim().replace(/\/$/, '')).then(
      () => setOrigin(''),
      () => undefined,
    );
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" mt="md">
        <TextInput
          label="Origin"
          placeholder="https://shop.example"
          required
          flex={1}
          miw={200}
          value={origin}
          onChange={(event) => setOrigin(event.currentTarget.value)}
        />
        <Button type="submit" loading={isRunning}>
          Add
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        https, or http on localhost.
      </Text>
    </form>
  );
}
