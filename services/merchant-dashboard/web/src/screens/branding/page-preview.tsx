import { Text } from '@mantine/core';
import { accentProperties } from '@gp/primitives';
import { useState } from 'react';
import { useMember } from '../../shell/session.ts';

/** A logo on the plate that the checkout page gives it, by day and by night; says so where the browser cannot load it. */
export function LogoPreview({ src }: { src: string }) {
  const member = useMember();
  const [broken, setBroken] = useState<string>();
  if (broken === src)
    return (
      <Text my="md" role="status">
        This picture cannot be loaded.
      </Text>
    );
  return (
    <figure className="page-preview" aria-label="The logo on the checkout page">
      {['day', 'night'].map((time) => (
        <div key={time} className={`page-preview-${time}`}>
          <img className="logo-plate" src={src} alt={member?.merchant_name} onError={() => setBroken(src)} />
        </div>
      ))}
    </figure>
  );
}

/** What the checkout page makes of a colour, by day and by night. */
export function PagePreview({ color }: { color: string }) {
  return (
    <figure
      className="page-preview"
      style={accentProperties(color)}
      aria-label="The checkout page with this colour"
    >
      {['day', 'night'].map((time) => (
        <div key={time} className={`page-preview-${time}`}>
          <span className="page-preview-link">Share 1</span>
          <span className="page-preview-button">Pay €12.00</span>
        </div>
      ))}
      <Text component="figcaption" size="xs" c="dimmed">
        In light and dark mode. Where text would be hard to read, the page uses a darker or a lighter shade.
      </Text>
    </figure>
  );
}
