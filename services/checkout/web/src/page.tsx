import './page.css';
import { hydrate } from 'preact';
import { BOOTSTRAP_ID, ROOT_ID, type Bootstrap } from './bootstrap.ts';
import { Checkout } from './checkout.tsx';

const root = document.getElementById(ROOT_ID);
const text = document.getElementById(BOOTSTRAP_ID)?.textContent;
if (root && text) hydrate(<Checkout bootstrap={JSON.parse(text) as Bootstrap} />, root);
