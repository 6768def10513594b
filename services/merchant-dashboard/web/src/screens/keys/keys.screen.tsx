import { Alert, Badge, Button, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedKey, ListedKey } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Icon } from '../../parts/icon.tsx';
import { permissionFor } from '../../shell/permissions.ts';
import { useMay } from '../../shell/session.ts';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { ScrolledTable } from '../../parts/scrolled-table.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { useMode } from '../../shell/mode.ts';
import { When } from '../account/when.tsx';
import { RevokeDialog, RollDialog } from './key-dialogs.tsx';
import { SCOPE_MEANINGS } from './key-scopes.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

type Open = { readonly what: 'new' } | { readonly what: 'roll' | 'revoke'; readonly key: ListedKey };

/** Shows the API keys of a mode: where they are used, and the ways to end one. */
export default function KeysScreen() {
  const mode = useMode();
  const permission = permissionFor('keys', mode);
  const mayManage = useMay(permission);
  const [open, setOpen] = useState<Open>();
  const [created, setCreated] = useState<CreatedKey>();
  const keys = useQuery({
    queryKey: [mode, 'keys'],
    queryFn: () => send<{ keys: ListedKey[] }>(`/api/keys?mode=${mode}`),
  });
  const close = () => setOpen(undefined);
  const done = async (key?: CreatedKey) => {
    close();
    setCreated(key);
    await keys.refetch();
  };
  const create = mayManage && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen({ what: 'new' })}>
      Create key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead={`Your server shows a key with every request in ${mode} mode. Whoever has it acts as you.`}
      actions={keys.data && keys.data.keys.length > 0 && create}
    >
      <RoleNote permission={permission} to={`create, roll or revoke ${mode} keys`} />
      {created && (
        <SecretOnce
          label={`Your new key “${created.name}”`}
          secret={created.key}
          onDone={() => setCreated(undefined)}
        />
      )}
      {keys.isPending && <Skeleton height={180} />}
      {keys.isError && <FailureNote error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.keys.length === 0 && (
        <EmptyState icon="key" title="No keys yet" action={create}>
          A key lets your server make group payments.
          {mayManage &&
            ' Create one, put it into your server’s settings, and the first request is one line away.'}
        </EmptyState>
      )}
      {keys.data && keys.data.keys.length > 0 && (
        <KeyTable
          keys={keys.data.keys}
          mayManage={mayManage}
          onRoll={(key) => setOpen({ what: 'roll', key })}
          onRevoke={(key) => setOpen({ what: 'revoke', key })}
        />
      )}
      {open?.what === 'new' && <NewKeyDialog mode={mode} onDone={done} onClose={close} />}
      {open?.what === 'roll' && <RollDialog apiKey={open.key} onDone={done} onClose={close} />}
      {open?.what === 'revoke' && <RevokeDialog apiKey={open.key} onDone={done} onClose={close} />}
    </Page>
  );
}

type TableProps = {
  readonly keys: readonly ListedKey[];
  readonly mayManage: boolean;
  readonly onRoll: (key: ListedKey) => void;
  readonly onRevoke: (key: ListedKey) => void;
};

function KeyTable({ keys, mayManage, onRoll, onRevoke }: TableProps) {
  const hasActions = mayManage && keys.some(({ revoked_at }) => !revoked_at);
  return (
    <ScrolledTable name="API keys" minWidth={640}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Key</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Last used</Table.Th>
            {hasActions && (
              <Table.Th>
                <Text span size="sm" fw={700}>
                  Actions
                </Text>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>
                <div>
                  <Text fw={600}>{key.name}</Text>
                  <Standing apiKey={key} />
                </div>
              </Table.Td>
              <Table.Td data-heading="Key">
                <Code>
                  {key.prefix}…{key.last4}
                </Code>
              </Table.Td>
              <Table.Td data-heading="Created">
                <div>
                  <When at={key.created_at} />
                  <Text size="xs" c="dimmed">
                    by {key.created_by}
                    {key.has_maker_left && ', who left the team'}
                  </Text>
                </div>
              </Table.Td>
              <Table.Td data-heading="Last used">
                <div>
                  {key.last_used_at ? <When at={key.last_used_at} /> : <Text c="dimmed">Never</Text>}
                  {key.last_used_from && (
                    <Text size="xs" c="dimmed">
                      from {key.last_used_from}
                    </Text>
                  )}
                </div>
              </Table.Td>
              {hasActions && (
                <Table.Td>
                  {!key.revoked_at && (
                    <Group gap="xs" wrap="nowrap">
                      {!key.ends_at && (
                        <Button size="xs" variant="default" onClick={() => onRoll(key)}>
                          Roll<span className="visually-hidden"> {key.name}</span>
                        </Button>
                      )}
                      <Button size="xs" variant="default" onClick={() => onRevoke(key)}>
                        Revoke<span className="visually-hidden"> {key.name}</span>
                      </Button>
                    </Group>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrolledTable>
  );
}

/** Shows whether a key still works, and whether it was seen in a page. */
function Standing({ apiKey }: { apiKey: ListedKey }) {
  return (
    <Stack gap={4} align="flex-start">
      {apiKey.revoked_at && (
        <Badge color="gray" variant="outline">
          Revoked
        </Badge>
      )}
      {!apiKey.revoked_at && apiKey.ends_at && (
        <Text size="xs">
          Ends <When at={apiKey.ends_at} />
        </Text>
      )}
      {!apiKey.revoked_at && <Limits apiKey={apiKey} />}
      {!apiKey.revoked_at && apiKey.seen_in_browsers.length > 0 && (
        <Alert color="red" variant="light" p="xs" title="Seen in a browser">
          <Text size="xs">
            {apiKey.seen_in_browsers.map(({ origin }) => origin).join(', ')}: roll this key and keep the new
            one on your server.
          </Text>
        </Alert>
      )}
    </Stack>
  );
}

/** Shows what a key is restricted to. */
function Limits({ apiKey: { scopes, expires_at, allowed_addresses } }: { apiKey: ListedKey }) {
  return (
    <>
      {scopes && (
        <Text size="xs">Only: {scopes.map((scope) => SCOPE_MEANINGS[scope].toLowerCase()).join(', ')}</Text>
      )}
      {allowed_addresses.length > 0 && <Text size="xs">From {allowed_addresses.join(', ')}</Text>}
      {expires_at && (
        <Text size="xs">
          Expires <When at={expires_at} />
        </Text>
      )}
    </>
  );
}
