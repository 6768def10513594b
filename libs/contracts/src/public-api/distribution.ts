import { NAME_PATTERN } from '@gp/primitives';
import Type, { type Static } from '@gp/bundled/typebox';
import { Amount, FreeMetadata, Request } from './fields.ts';

/** A payer is to read it beside the amount, on a phone too. */
export const MOST_LABEL_CHARACTERS = 60;

const label = {
  minLength: 1,
  maxLength: MOST_LABEL_CHARACTERS,
  pattern: NAME_PATTERN,
  description: 'What the slot is for, such as `Starter and wine`.',
};

const EqualDistribution = Request('EqualDistribution', {
  type: Type.Literal('equally'),
  number_of_slots: Type.Integer({ minimum: 1, maximum: 30, description: 'Into how many slots.' }),
  slot_metadata: Type.Optional(
    Type.Array(Request('SlotMetadata', { metadata: FreeMetadata }), {
      description: 'One entry per slot, in their order.',
    }),
  ),
  slot_labels: Type.Optional(
    Type.Array(Type.Unsafe<string | null>({ ...label, type: ['string', 'null'] }), {
      description: 'What each slot is for, one entry per slot in their order; null for none.',
    }),
  ),
});

const CustomDistribution = Request('CustomDistribution', {
  type: Type.Literal('custom'),
  slots: Type.Array(
    Request('CustomSlot', {
      amount: Amount('Price of the slot, in currency units.'),
      metadata: Type.Optional(FreeMetadata),
      label: Type.Optional(Type.String(label)),
    }),
    {
      minItems: 1,
      maxItems: 30,
      description: 'The slots in their order; their amounts sum to total_amount.',
    },
  ),
});

/** `discriminator` lets a validator name the faults of the chosen shape only, and a generator draw both. */
export const DistributionRequest = Type.Unsafe<
  Static<typeof EqualDistribution> | Static<typeof CustomDistribution>
>({
  type: 'object',
  title: 'Distribution',
  description: 'How the total is split into 1 to 30 slots.',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  properties: { type: { type: 'string', enum: ['equally', 'custom'] } },
  oneOf: [EqualDistribution, CustomDistribution],
});
