import type { ComponentProps } from 'react';
import { SHORTEST_PASSWORD } from '#contract/password-names.ts';
import { useAnnouncement } from './use-announcement.ts';
import css from './NewPasswordField.module.css';
import { PasswordField } from './PasswordField.tsx';
import { describeStrength, GOOD_LENGTH } from './password-strength.ts';

type Props = Omit<ComponentProps<typeof PasswordField>, 'autoComplete' | 'value' | 'description'> & {
  value?: string;
  /** The names of the user and their school, as far as the page knows them. The password must not be made of these. */
  names?: readonly string[];
};

/** A password that is being chosen: can be shown, and says how hard it is to guess. */
export function NewPasswordField({ value = '', names = [], ...props }: Props) {
  const { strength, text } = describeStrength(value, names);
  useAnnouncement(text);
  return (
    <div className={css.root} data-strength={strength}>
      <PasswordField
        {...props}
        value={value}
        autoComplete="new-password"
        description={`At least ${SHORTEST_PASSWORD} characters, better ${GOOD_LENGTH} or more. Three words that do not belong together are easy to keep in mind.`}
      />
      <div className={css.meter} data-meter aria-hidden>
        {[1, 2, 3, 4].map((step) => (
          <span key={step} data-on={step <= strength || undefined} />
        ))}
      </div>
      <p className={`soft small ${css.word}`} data-strength-word>
        {text}
      </p>
    </div>
  );
}
