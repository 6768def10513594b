import { SegmentedControl } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { isMode, useMode } from './mode.ts';
import { inMode } from './places.ts';

const MODES = [
  { value: 'test', label: 'Test' },
  { value: 'live', label: 'Live' },
];

/** Links to the same screen in the other mode. */
export function ModeSwitch() {
  const mode = useMode();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      aria-label="Mode"
      size="xs"
      data={MODES}
      value={mode}
      onChange={(chosen) => {
        if (isMode(chosen)) void navigate(inMode(pathname, chosen));
      }}
    />
  );
}
