import { Copy } from './copy.tsx';

/** Text to be copied whole: a command, a response, an event. Wide lines scroll, by keyboard too. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <div className="code-block-copy">
        <Copy text={text} what={label} />
      </div>
    </div>
  );
}
