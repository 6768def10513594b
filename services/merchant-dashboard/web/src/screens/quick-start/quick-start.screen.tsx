import { Alert, Anchor, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Setup } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../shell/mode.ts';
import { permissionFor } from '../../shell/permissions.ts';
import { useMay } from '../../shell/session.ts';
import { PLAIN_LOOK } from './look.ts';
import {
  createSnippet,
  sessionSnippet,
  verifySnippet,
  widgetScriptSnippet,
  widgetSnippet,
} from './snippets.ts';
import { WidgetLookFields } from './widget-look.tsx';

/**
 * Guides from a key to a first payment by code, with the addresses and the key's prefix of this mode filled in.
 */
export default function QuickStart() {
  const mode = useMode();
  const permission = permissionFor('keys', mode);
  const mayCreateKey = useMay(permission);
  const [openedMs] = useState(() => Date.now());
  const [look, setLook] = useState(PLAIN_LOOK);
  const setup = useRead<Setup>('/setup');
  if (!setup.data)
    return (
      <Page title="Quick start">
        {setup.isError ? (
          <FailureNote error={setup.error} onRetry={() => void setup.refetch()} />
        ) : (
          <Skeleton height={480} role="status" aria-label="Loading" />
        )}
      </Page>
    );
  const { api_url: api, checkout_url: checkout = '' } = setup.data;
  return (
    <Page
      title="Quick start"
      lead="Four pieces of code, ready to paste. Yours are the key and the address of your shop."
    >
      {!setup.data.has_key && !mayCreateKey && (
        <RoleNote permission={permission} to={`create the ${mode} key that this needs`} />
      )}
      {!setup.data.has_key && mayCreateKey && (
        <Alert color="yellow" mb="lg" title={`You have no ${mode} key yet`}>
          <Anchor component={Link} to={`/${mode}/keys`}>
            Create one
          </Anchor>{' '}
          and put it where the examples say $GROUP_PAYMENTS_KEY. It begins with sk_{mode}_.
        </Alert>
      )}
      <Section title="1. Create a group payment on your server">
        <CodeBlock label="Create with curl" text={createSnippet(api, mode, openedMs)} />
        <Text size="sm" mt="xs">
          Send each participant to the checkout_url of the answer, and you are done. To stay on your own page
          instead:
        </Text>
      </Section>
      <Section title="2. Give the payer’s browser a session">
        <Text size="sm" mb="xs">
          Secret keys stay on your server. It hands the browser a short-lived token of one group payment:
        </Text>
        <CodeBlock label="Create a session with curl" text={sessionSnippet(api)} />
      </Section>
      <Section title="3. Show the widget">
        <Text size="sm" mb="xs">
          Register the address of your shop under{' '}
          <Anchor component={Link} to={`/${mode}/origins`} size="sm">
            Web origins
          </Anchor>{' '}
          first.
        </Text>
        <WidgetLookFields look={look} onChange={setLook} />
        <Text size="sm" mb="xs">
          Then either this:
        </Text>
        <CodeBlock label="Widget without a script" text={widgetSnippet(checkout, look)} />
        <Text size="sm" my="xs">
          or this, which also hears what happens:
        </Text>
        <CodeBlock label="Widget with a script" text={widgetScriptSnippet(checkout, look)} />
      </Section>
      <Section title="4. Hear what happened">
        <Text size="sm" mb="xs">
          Add an endpoint under{' '}
          <Anchor component={Link} to={`/${mode}/webhooks`} size="sm">
            Webhooks
          </Anchor>
          , and verify every request with its secret:
        </Text>
        <CodeBlock label="Verify a webhook in Node" text={verifySnippet()} />
        <Text size="sm" mt="xs">
          <Anchor href={`${api}/docs`} size="sm">
            Everything else stands in the reference
          </Anchor>
          .
        </Text>
      </Section>
    </Page>
  );
}
