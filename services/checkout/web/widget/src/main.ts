import type { Factory } from '../v1.d.ts';
import { watchContainers } from './containers.ts';
import { mountForm } from './mount.ts';
import { assertOptions, fault } from './options.ts';

/** The address of this script is the address of checkout; a page that loads it twice keeps the first. */
function start(): void {
  const { src = '' } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>;
  const home = src.slice(0, Math.max(0, src.lastIndexOf('/widget/')));
  if (!home) throw fault('load me with <script src="…/widget/v1.js">');
  const factory: Factory = (options) => {
    assertOptions(options);
    const own = { ...options };
    return { mount: (target) => mountForm(findElement(target), own, home) };
  };
  window.ServiceGroupPay = factory;
  watchContainers(home);
}

function findElement(target: string | Element): Element {
  const element = typeof target === 'string' ? document.querySelector(target) : target;
  // Checked by node type, not class: an element of another window is accepted too.
  if (element?.nodeType !== 1) throw fault(`mount found no element: ${JSON.stringify(target)}`);
  return element;
}

if (!('ServiceGroupPay' in window)) start();
