import { renderToString } from 'preact-render-to-string';
import type { Drawn, ServerEntry, View } from './bootstrap.ts';
import { Checkout } from './checkout.tsx';

/** Draws a view for the server; the browser's code takes it over from there. */
export const draw: ServerEntry['draw'] = (view: View): Drawn => {
  switch (view.kind) {
    case 'page':
      return {
        html: renderToString(<Checkout bootstrap={view.bootstrap} />),
        title: view.bootstrap.group.name,
        dir: 'ltr',
      };
    case 'embed':
      return { html: '', title: '', dir: 'ltr' };
    case 'problem':
      return { html: renderToString(<h1>{view.problem}</h1>), title: view.problem, dir: 'ltr' };
  }
};
