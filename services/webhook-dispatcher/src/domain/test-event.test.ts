import { expect, it } from '@jest/globals';
import { EVENT_NOUNS, EVENT_TYPES, publicApi, type EventNoun, type EventType } from '@gp/contracts';
import { testEvent } from './test-event.ts';

const given = { id: 'e1', now: new Date('2026-01-02T03:04:05Z'), mode: 'test' } as const;

/** A field that only events of this noun have. */
const SIGNS: Readonly<Record<EventNoun, string>> = {
  payment_intent: 'payment_intent_id',
  group_payment: 'amount_captured',
};

it.each(EVENT_TYPES)('a test event of type %s has the body of its own noun and of no other', (type) => {
  const { data } = testEvent(type, given);
  const [noun] = type.split('.');
  expect(data).toMatchObject({ is_test_event: true });
  expect(EVENT_NOUNS.filter((each) => SIGNS[each] in data)).toEqual([noun]);
});

it.each(EVENT_TYPES)(
  'a test event of type %s has a state that the published body of the type lists',
  (type) => {
    expect(listPublishedStates(type)).toContain(testEvent(type, given).data['state']);
  },
);

function listPublishedStates(type: EventType): readonly string[] {
  const body = publicApi.eventBodies[type] as unknown as {
    properties: { data: { properties: { state: { enum?: string[]; const?: string } } } };
  };
  const { state } = body.properties.data.properties;
  return state.enum ?? [state.const ?? ''];
}
