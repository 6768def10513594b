import { setStatementTrace } from '@gp/pg';
import { statementSpan, stepSpan } from '@gp/telemetry';

/**
 * Describes each statement by a span where its trace is recorded: by the name that it is declared under, never by its
 * values.
 */
export function traceDatabase(): void {
  setStatementTrace((statement, database, execute) =>
    stepSpan(() => statementSpan(statement, database), {}, execute),
  );
}
