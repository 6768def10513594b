export * from 'typebox';
export { default } from 'typebox';
