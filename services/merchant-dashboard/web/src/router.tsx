import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { Loading } from './parts/loading.tsx';
import LoginScreen from './screens/account/login.screen.tsx';
import { publicScreens, screens, type PublicScreen } from './screens.ts';
import { lastMode } from './shell/last-mode.ts';
import { NoSuchPage, RouteFault } from './shell/route-fault.tsx';

/** What is behind the login: its frame, its styles and the cache of what it read are no part of the login. */
const loadFrame = () => import('./shell/frame.tsx');

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
        // It comes first for whoever has no session, and waits for no further file.
        { path: 'login', handle: { title: 'Log in' }, Component: LoginScreen },
        ...publicScreens.map(toRoute),
        {
          path: '/:mode',
          lazy: async () => ({ Component: (await loadFrame()).Gate }),
          children: [
            {
              lazy: async () => ({ Component: (await loadFrame()).Layout }),
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
