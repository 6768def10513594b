export { contract, contractOf, type Contract, type Exchange } from './contract.ts';
