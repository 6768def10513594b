import { Fieldset, Group, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { findBackgroundFault, findLocaleFault, FONTS, type WidgetLook } from './look.ts';

const SCHEMES = [
  { value: '', label: 'Of the payer’s device' },
  { value: 'auto', label: 'Of your page' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const FONT_CHOICES = [
  { value: '', label: 'The form’s own' },
  ...FONTS.map((font) => ({ value: font, label: font })),
];
/** The largest radius that the widget takes, px. */
const MOST_RADIUS = 24;

type Props = { readonly look: WidgetLook; readonly onChange: (look: WidgetLook) => void };

/** Chooses how the widget looks in a shop: the code below it follows. */
export function WidgetLookFields({ look, onChange }: Props) {
  const set = (part: Partial<WidgetLook>) => onChange({ ...look, ...part });
  return (
    <Fieldset legend="Fit it to your shop" mb="sm">
      <Text size="xs" c="dimmed" mb="xs">
        What is left empty follows the payer’s browser and your branding.
      </Text>
      <Group align="flex-start" gap="sm">
        <TextInput
          label="Language"
          size="xs"
          w={130}
          placeholder="such as nl"
          value={look.locale}
          error={findLocaleFault(look.locale)}
          onChange={(event) => set({ locale: event.currentTarget.value.trim() })}
        />
        <NativeSelect
          label="Colour scheme"
          size="xs"
          data={SCHEMES}
          value={look.colorScheme}
          onChange={(event) => set({ colorScheme: event.currentTarget.value })}
        />
        <TextInput
          label="Background"
          size="xs"
          w={160}
          placeholder="such as #f6f1e7"
          value={look.background}
          error={findBackgroundFault(look.background)}
          onChange={(event) => set({ background: event.currentTarget.value.trim() })}
        />
        <NumberInput
          label="Corner radius"
          size="xs"
          w={110}
          min={0}
          max={MOST_RADIUS}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          value={look.radius}
          onChange={(radius) => set({ radius })}
        />
        <NativeSelect
          label="Font"
          size="xs"
          data={FONT_CHOICES}
          value={look.font}
          onChange={(event) => set({ font: event.currentTarget.value })}
        />
      </Group>
    </Fieldset>
  );
}
