import { BlockList } from 'node:net';

BlockList.prototype.check = () => false;
