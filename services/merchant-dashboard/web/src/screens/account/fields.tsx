import { PasswordInput, TextInput } from '@mantine/core';

type Props = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly label?: string;
};

export function EmailField({ value, onChange, error, label = 'E-mail' }: Props) {
  return (
    <TextInput
      label={label}
      type="email"
      name="email"
      autoComplete="username"
      required
      maxLength={320}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A field for the current password. */
export function PasswordField({ value, onChange, error, label = 'Password' }: Props) {
  return (
    <PasswordInput
      label={label}
      name="password"
      autoComplete="current-password"
      required
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A field for a new password. */
export function NewPasswordField({ value, onChange, error, label = 'Password' }: Props) {
  return (
    <PasswordInput
      label={label}
      description="At least 12 characters. A few words you can remember do well."
      name="new-password"
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** `isFirst`: the app is being set up, and there are no recovery codes so far. */
type CodeProps = Props & { readonly isFirst?: boolean };

/** A field for a code of the second factor, or a recovery code. */
export function CodeField({ value, onChange, error, label = 'Code', isFirst = false }: CodeProps) {
  return (
    <TextInput
      label={label}
      description={
        isFirst ? 'Six digits from your app.' : 'Six digits from your app, or one of your recovery codes.'
      }
      name="code"
      autoComplete="one-time-code"
      inputMode="text"
      required
      minLength={6}
      maxLength={20}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
