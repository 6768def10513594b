import { Checkbox, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { CreatedKey, KeyScope, Mode } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { useMember } from '../../shell/session.ts';
import { useTyped } from '../../shell/typed.ts';
import { useAct } from '../account/use-act.ts';
import { ActDialog, type Ends } from './key-dialogs.tsx';
import { SCOPE_MEANINGS } from './key-scopes.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const ENDS = [
  { value: '0', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

type Restrictions = {
  readonly scopes: readonly KeyScope[];
  readonly days: string;
  /** One address or network a line. */
  readonly addresses: string;
};

/** Creates a key, on request with fewer rights, an end, and addresses it may be used from. */
export function NewKeyDialog({ mode, onDone, onClose }: Ends & { mode: Mode }) {
  const offered = (useMember()?.key_scopes ?? []).filter(
    (scope) => mode === 'test' || scope !== 'test_clock',
  );
  const [name, setName] = useTyped('name', '');
  const [isRestricted, setRestricted] = useTyped('restricted', false);
  const [chosen, setChosen] = useTyped<Restrictions>('restrictions', {
    scopes: ['read'],
    days: '90',
    addresses: '',
  });
  const act = useAct();
  const create = () =>
    act.act(async () => {
      const body = { mode, name, ...(isRestricted && toBody(chosen)) };
      await onDone(await send<CreatedKey>('/api/keys', { method: 'POST', body }));
    });
  return (
    <ActDialog title="Create a key" verb="Create key" act={act} onAct={create} onClose={onClose}>
      <TextInput
        label="Name"
        description="Where you use it, for example “shop server”."
        required
        maxLength={100}
        data-autofocus
        value={name}
        error={act.findFault('name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Switch
        label="Restrict this key"
        description="Otherwise it may do what you may, from everywhere, until it is revoked."
        checked={isRestricted}
        onChange={(event) => setRestricted(event.currentTarget.checked)}
      />
      {isRestricted && <RestrictionFields offered={offered} chosen={chosen} onChange={setChosen} />}
    </ActDialog>
  );
}

type FieldsProps = {
  readonly offered: readonly KeyScope[];
  readonly chosen: Restrictions;
  readonly onChange: (chosen: Restrictions) => void;
};

function RestrictionFields({ offered, chosen, onChange }: FieldsProps) {
  return (
    <>
      <Checkbox.Group
        label="Rights"
        value={[...chosen.scopes]}
        onChange={(scopes) => onChange({ ...chosen, scopes: offered.filter((one) => scopes.includes(one)) })}
      >
        <Stack gap="xs" mt={6}>
          {offered.map((scope) => (
            <Checkbox key={scope} value={scope} label={SCOPE_MEANINGS[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Ends"
        data={ENDS}
        value={chosen.days}
        allowDeselect={false}
        onChange={(days) => onChange({ ...chosen, days: days ?? chosen.days })}
      />
      <Textarea
        label="Addresses"
        description="Addresses or networks of your servers, one a line. Empty means any."
        placeholder="203.0.113.0/24"
        autosize
        minRows={2}
        value={chosen.addresses}
        onChange={(event) => onChange({ ...chosen, addresses: event.currentTarget.value })}
      />
    </>
  );
}

function toBody({ scopes, days, addresses }: Restrictions) {
  const allowed_addresses = addresses.split(/[\s,]+/).filter((address) => address !== '');
  const expires_at = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  return {
    scopes,
    ...(days !== '0' && { expires_at }),
    ...(allowed_addresses.length > 0 && { allowed_addresses }),
  };
}
