import { TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Icon } from './icon.tsx';

type Props = {
  readonly label: string;
  readonly placeholder: string;
  /** The text that is searched for now; empty for none. */
  readonly value: string;
  readonly maxLength?: number;
  readonly onSearch: (text: string) => void;
};

/** Searches for a text when Enter is pressed. The field stays, and with it the focus, while what it found comes. */
export function SearchField({ value, onSearch, ...input }: Props) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  if (known !== value) {
    setKnown(value);
    // The address has changed by itself, for example by Back; after a search the user may be typing the next one.
    if (value !== sent) setText(value);
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    setSent(wanted);
    onSearch(wanted);
  };
  return (
    <form role="search" onSubmit={submit} className="search">
      <TextInput
        {...input}
        size="xs"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<Icon name="search" size={14} />}
      />
    </form>
  );
}
