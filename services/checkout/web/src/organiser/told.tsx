import { Icon } from '../ui/icons.tsx';
import type { OrganiserRight } from './bootstrap.ts';
import { useOrganiser } from './model.ts';

/** What became of the organiser's last action, beside its button. Screen readers announce it. */
export function Told({ of }: { of: OrganiserRight }) {
  const { model } = useOrganiser();
  const told = model.told.value?.of === of ? model.told.value : null;
  return (
    <div role="status" class="status-place">
      {told && (
        <p class={told.isGood ? 'told' : 'told told-bad'} tabIndex={-1}>
          <Icon name={told.isGood ? 'check' : 'info'} />
          <span>{told.text}</span>
        </p>
      )}
    </div>
  );
}
