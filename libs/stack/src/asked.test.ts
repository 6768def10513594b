import { expect, it } from '@jest/globals';
import { parseAsked } from './asked.ts';

it.each([[[]], [['start']]])('the words %j start the platform', (words: string[]) => {
  expect(parseAsked(words)).toEqual({ word: 'start' });
});

it('the word "stop" stops it', () => {
  expect(parseAsked(['stop'])).toEqual({ word: 'stop' });
});

it.each([[['start', '--help']], [['stop', '-h']], [['start', '--port', '--help']]])(
  'the words %j ask for help and start nothing',
  (words) => {
    expect(parseAsked(words)).toEqual({ word: 'help' });
  },
);

it.each([
  [['start', '--port', '9000'], '--port'],
  [['start', ''], ''],
  [['stop', 'api-gateway'], 'api-gateway'],
  [['begin'], 'begin'],
])('the words %j start nothing, and the first unknown one is named', (words, unknown) => {
  expect(parseAsked(words)).toEqual({ unknown });
});
