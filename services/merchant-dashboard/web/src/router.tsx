import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { Loading } from './parts/loading.tsx';
import { publicScreens, screens, type PublicScreen } from './screens.ts';
import { Layout } from './shell/layout.tsx';
import { lastMode } from './shell/last-mode.ts';
import { ModeGate } from './shell/mode-gate.tsx';
import { NoSuchPage, RouteFault } from './shell/route-fault.tsx';

/**
 * Creates the router with every address of the application. The mode is part of each address, so that a link shows
 * what its sender saw.
 */
export function createRouter() {
  return createBrowserRouter([
    {
      errorElement: <RouteFault />,
      hydrateFallbackElement: <Loading />,
      children: [
        { path: '/', element: <Navigate to={`/${lastMode()}`} replace /> },
        ...publicScreens.map(toRoute),
        {
          path: '/:mode',
          element: <ModeGate />,
          children: [
            {
              element: <Layout />,
              children: [
                {
                  errorElement: <RouteFault />,
                  children: [...screens.map(toRoute), { path: '*', element: <NoSuchPage /> }],
                },
              ],
            },
          ],
        },
        { path: '*', element: <NoSuchPage /> },
      ],
    },
  ]);
}

function toRoute(screen: PublicScreen): RouteObject {
  const lazy = async () => ({ Component: (await screen.load()).default });
  const handle = { title: screen.title };
  return screen.path === '' ? { index: true, handle, lazy } : { path: screen.path, handle, lazy };
}
