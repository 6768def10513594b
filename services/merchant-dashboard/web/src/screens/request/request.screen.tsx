import { Anchor, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { LoggedRequestDetail } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { Fact } from '../../parts/fact.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { Instant } from '../../parts/instant.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../shell/mode.ts';
import { Answer, formatDuration, formatKey } from '../requests/request-parts.tsx';
import { findGroupPaymentId } from './group-of-request.ts';

/** Shows one request to the API with its bodies, as they were stored. */
export default function Request() {
  const { id = '' } = useParams();
  const mode = useMode();
  const request = useRead<LoggedRequestDetail>(`/requests/${id}`);
  const title = request.data ? (
    <span className="address">
      {request.data.method} {request.data.path}
    </span>
  ) : (
    'Request'
  );
  return (
    <Page title={title}>
      {request.isError && <FailureNote error={request.error} onRetry={() => void request.refetch()} />}
      {request.isPending && <Skeleton height={360} role="status" aria-label="Loading" />}
      {request.data && <Known request={request.data} />}
      <Anchor component={Link} to={`/${mode}/requests`} mt="md" display="inline-block">
        All requests
      </Anchor>
    </Page>
  );
}

function Known({ request }: { request: LoggedRequestDetail }) {
  const mode = useMode();
  const groupId = findGroupPaymentId(request);
  return (
    <>
      <Section title="Request">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm" component="dl" m={0}>
          <Fact name="Answer">
            <Answer request={request} />
            <Explanation error={request.response_body} />
          </Fact>
          <Fact name="Arrived">
            <Instant at={request.created_at} hasSeconds />
          </Fact>
          <Fact name="Took">{formatDuration(request.duration_ms)}</Fact>
          <Fact name="Request id">
            <Identifier id={request.request_id} what="request id" />
          </Fact>
          <Fact name="Key">
            {formatKey(request.key)}
            {request.key?.last4 && ` (…${request.key.last4})`}
          </Fact>
          <Fact name="Group payment">
            {groupId === undefined ? (
              'none'
            ) : (
              <Anchor component={Link} to={`/${mode}/group-payments/${groupId}`} size="sm">
                Open it
              </Anchor>
            )}
          </Fact>
          {request.query !== '' && (
            <Fact name="Query">
              <code className="address">{request.query}</code>
            </Fact>
          )}
        </SimpleGrid>
      </Section>
      <Body title="What was sent" label="Body of the request" value={request.request_body} />
      <Body title="What was answered" label="Body of the answer" value={request.response_body} />
      <Text size="sm" c="dimmed">
        Secrets, cards and what names payers were replaced before this was stored.
      </Text>
    </>
  );
}

/** The sentence of an error, and the address of its explanation. */
function Explanation({ error }: { error: LoggedRequestDetail['response_body'] }) {
  const { message, code, doc_url }: NonNullable<typeof error> = error ?? {};
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  return (
    <Text size="xs" c="dimmed" className="address">
      {message}{' '}
      {typeof doc_url === 'string' && /^https?:/.test(doc_url) && (
        <Anchor href={doc_url} target="_blank" rel="noreferrer" size="xs">
          What it means
        </Anchor>
      )}
    </Text>
  );
}

type BodyProps = {
  readonly title: string;
  readonly label: string;
  readonly value: LoggedRequestDetail['request_body'];
};

function Body({ title, label, value }: BodyProps) {
  return (
    <Section title={title}>
      {value ? (
        <JsonView value={value} label={label} />
      ) : (
        <Text size="sm" c="dimmed">
          No body is kept: there was none, or it was larger than 16 kB or no JSON object.
        </Text>
      )}
    </Section>
  );
}
