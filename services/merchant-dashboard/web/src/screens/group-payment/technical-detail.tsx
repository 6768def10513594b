import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '../../../../src/http/api.ts';
import { Identifier } from '../../parts/identifier.tsx';

/** What an engineer or the gateway's support asks for, folded: the code of a failure, the gateway's reference, the trace. */
export function TechnicalDetail({ entry: { failure, psp_reference, trace_id } }: { entry: TimelineEntry }) {
  if (!failure && psp_reference === null && trace_id === null) return null;
  return (
    <details className="technical">
      <summary>Technical detail</summary>
      <dl>
        {failure && <Line name="Code">{failure.code}</Line>}
        {failure && <Line name="Message">{failure.message}</Line>}
        {psp_reference !== null && (
          <Line name="Gateway’s reference">
            <Identifier id={psp_reference} what="reference of the gateway" />
          </Line>
        )}
        {trace_id !== null && (
          <Line name="Trace">
            <Identifier id={trace_id} what="trace id" />
          </Line>
        )}
      </dl>
    </details>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="technical-line">
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="xs" m={0} miw={0}>
        {children}
      </Text>
    </div>
  );
}
