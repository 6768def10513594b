import { expect, it } from '@jest/globals';
import { computeStreamChanges } from './streams.ts';

const events = { name: 'EVENTS', subjects: ['evt.>'] } as const;
const definition = { ...events, subjects: [...events.subjects] };

it('a service that starts leaves a stream the copies that the installation gave it', () => {
  expect(computeStreamChanges(definition, { num_replicas: 3 }, undefined)).toEqual({
    subjects: ['evt.>'],
    num_replicas: 3,
  });
});

it('the installation changes the copies of a stream that exists', () => {
  expect(computeStreamChanges(definition, { num_replicas: 1 }, 3)).toMatchObject({ num_replicas: 3 });
});
