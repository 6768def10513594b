import './base.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { watchAttendance } from './api/attendance.ts';
import { nonce, shareNonce } from './nonce.ts';
import { createRouter } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

shareNonce();
watchAttendance();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root');
// A transition is rendered in slices of some milliseconds: a slow phone reacts to its user meanwhile.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={nonce}
      >
        <RouterProvider router={createRouter()} />
      </MantineProvider>
    </StrictMode>,
  ),
);
