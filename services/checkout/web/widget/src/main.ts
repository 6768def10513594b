import type { Factory } from '../v1.d.ts';
import { watchContainers } from './containers.ts';
import { mountForm } from './mount.ts';
import { fault, parseOptions } from './options.ts';

/** The address of this script is the address of checkout; a page that loads it twice keeps the first. */
function start(): void {
  const { src = '' } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>;
  const [, home] = /^(.+)\/widget\//.exec(src) ?? [];
  if (!home) throw fault('load me from …/widget/v1.js');
  const factory: Factory = (options) => {
    const own = parseOptions(options);
    return { mount: (target) => mountForm(findElement(target), own, home) };
  };
  window.ServiceGroupPay = factory;
  watchContainers(home);
}

function findElement(target: string | Element): Element {
  const element = typeof target === 'string' ? document.querySelector(target) : target;
  // Checked by node type, not class: an element of another window is accepted too.
  if (element?.nodeType !== 1) throw fault(`mount found no element: ${target as string}`);
  return element;
}

if (!('ServiceGroupPay' in window)) start();
