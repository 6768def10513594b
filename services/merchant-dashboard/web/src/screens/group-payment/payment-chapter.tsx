import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { GroupPaymentDetail, GroupPaymentIntent, TimelineEntry } from '../../../../src/http/api.ts';
import { formatTimeBeside } from '../../format/instant.ts';
import { Identifier } from '../../parts/identifier.tsx';
import { Instant } from '../../parts/instant.tsx';
import { useMode } from '../../shell/mode.ts';
import { Steps } from './entry.tsx';
import { formatFailure } from './failure-words.ts';
import { formatAdvice, formatPayment, formatStep } from './timeline-words.ts';

type Props = {
  readonly payment: GroupPaymentIntent;
  readonly steps: readonly TimelineEntry[];
  readonly slots: GroupPaymentDetail['slots'];
};

/** One payer's payment: how it stands, its steps in a line, and each of them on demand. */
export function PaymentChapter({ payment, steps, slots }: Props) {
  const mode = useMode();
  const newest = steps.at(-1);
  if (!newest) return null;
  const wasHeld = steps.some(({ what }) => what === 'preauthorised');
  const advice = formatAdvice(payment, wasHeld);
  const line = steps.map((step) => `${formatStep(step)} ${formatTimeBeside(step.at, newest.at)}`).join(', ');
  return (
    <>
      <Text size="sm" fw={600}>
        {formatPayment(payment, slots)}
      </Text>
      {advice !== undefined && <Text size="sm">{advice}</Text>}
      {newest.failure && <Text size="sm">{formatFailure(newest.failure)}</Text>}
      <Text size="xs" c="dimmed" component="div" className="timeline-facts">
        <Instant at={newest.at} hasSeconds />
        <span>{line}</span>
        {payment.payer.id !== null && (
          <Anchor component={Link} to={`/${mode}/customers/${payment.payer.id}`} size="xs">
            Customer
          </Anchor>
        )}
      </Text>
      <Text size="xs" c="dimmed" component="div" className="timeline-facts">
        <span>Reference on the receipt</span>
        <Identifier id={payment.id} what="reference of the payment" />
      </Text>
      <Steps
        name={steps.length === 1 ? '1 step' : `${steps.length} steps`}
        entries={steps}
        toHeadline={(step) => capitalise(formatStep(step))}
      />
    </>
  );
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
