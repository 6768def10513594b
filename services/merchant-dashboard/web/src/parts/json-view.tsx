import { Copy } from './copy.tsx';
import { splitTokens } from './json-tokens.ts';

/** A value as JSON, with its tokens in different colours. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className="code-block">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>
          {splitTokens(text).map(({ kind, text: part }, index) => (
            <span key={index} data-json={kind}>
              {part}
            </span>
          ))}
        </code>
      </pre>
      <div className="code-block-copy">
        <Copy text={text} what={label} />
      </div>
    </div>
  );
}
