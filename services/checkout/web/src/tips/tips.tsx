import { effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { addAmounts, formatDecimal } from '../money/money.ts';
import type { View } from '../ui/view.ts';
import { tipAdder, toMinor } from './add-tips.ts';
import { parseTip, suggestTips } from './suggest.ts';

/** Offers tips on the page of a group that takes them. Only such pages load this file. */
export function offerTips({ model, t, money }: View): void {
  const { tips, group } = model.bootstrap;
  if (!tips) return;
  const { texts } = tips;
  const most = BigInt(tips.max_minor);
  const { fraction_digits: digits } = group;
  const mostText = texts.most.replace('{amount}', money(most));

  // A further payment has a tip of its own.
  effect(() => {
    if (model.step.value === 'done') model.tip.value = undefined;
  });

  function Field() {
    const chosen = model.slots.value.filter(({ id }) => model.selected.value.includes(id));
    const price = addAmounts(chosen.map(({ amount }) => amount));
    const suggested = suggestTips(price, most, digits);
    const tip = toMinor(model.tip.value, digits);
    // A payer who comes back to the choice finds the tip as it was.
    const isOther = useSignal(tip > 0n && !suggested.includes(tip));
    const written = useSignal(isOther.value ? formatDecimal(tip, digits) : '');
    const place = useSignal(suggested.indexOf(tip));
    const parsed = parseTip(written.value, digits);
    const isBad = isOther.value && (parsed === undefined || parsed > most);
    // A payer who is still writing is not told; one who goes on is.
    const isTold = useSignal(false);
    const input = useRef<HTMLInputElement>(null);
    useEffect(() => {
      const form = input.current?.form;
      if (!isBad || !form) return;
      const refuse = (event: Event): void => {
        event.preventDefault();
        event.stopImmediatePropagation();
        isTold.value = true;
        input.current?.focus();
      };
      form.addEventListener('submit', refuse, true);
      return () => form.removeEventListener('submit', refuse, true);
    }, [isBad]);
    const wanted = isOther.value ? (isBad ? 0n : (parsed ?? 0n)) : (suggested[place.value] ?? 0n);
    useEffect(() => {
      model.tip.value = wanted > 0n ? Number(formatDecimal(wanted, digits)) : undefined;
    }, [wanted]);
    const option = (at: number, text: string, other = false) => (
      <label key={text}>
        <input
          type="radio"
          name="tip"
          checked={other ? isOther.value : !isOther.value && place.value === at}
          onChange={() => {
            place.value = at;
            isOther.value = other;
          }}
        />
        {text}
      </label>
    );
    return (
      <fieldset class="tips">
        <legend>{texts.title}</legend>
        {option(-1, texts.none)}
        {suggested.map((minor, at) => option(at, money(minor)))}
        {option(-1, texts.other, true)}
        {isOther.value && (
          <p class="field">
            <input
              id="tip"
              inputMode="decimal"
              autocomplete="off"
              maxLength={16}
              aria-label={texts.other}
              aria-describedby={isBad && isTold.value ? 'tip-fault' : 'tip-most'}
              aria-invalid={isBad && isTold.value}
              value={written.value}
              ref={input}
              onInput={(event) => (written.value = event.currentTarget.value)}
            />
            <span role="alert" id="tip-fault" class="fault">
              {isBad && isTold.value && (parsed === undefined ? t('badTip') : mostText)}
            </span>
            {!(isBad && isTold.value) && <small id="tip-most">{mostText}</small>}
          </p>
        )}
      </fieldset>
    );
  }

  model.offer.value = {
    Field,
    addTips: tipAdder({ model, money }, tips),
  };
}
