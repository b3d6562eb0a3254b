import type { ComponentProps } from 'react';
import css from './NewPasswordField.module.css';
import { PasswordField } from './PasswordField.tsx';
import { estimateStrength, GOOD_LENGTH, SHORTEST_PASSWORD, STRENGTH_WORDS } from './password-strength.ts';

type Props = Omit<ComponentProps<typeof PasswordField>, 'autoComplete' | 'value' | 'description'> & { value?: string };

const ADVICE = ['', 'a few more words or characters help', 'a longer one is harder to guess', '', ''];

/** A password that is being chosen: can be shown, and says how hard it is to guess. */
export function NewPasswordField({ value = '', ...props }: Props) {
  const strength = estimateStrength(value);
  const word = value === '' ? '' : [STRENGTH_WORDS[strength], ADVICE[strength]].filter(Boolean).join(': ');
  return (
    <div className={css.root} data-strength={strength}>
      <PasswordField
        {...props}
        value={value}
        autoComplete="new-password"
        description={`At least ${SHORTEST_PASSWORD} characters, better ${GOOD_LENGTH} or more. Three words that do not belong together are easy to keep in mind.`}
      />
      <div className={css.meter} aria-hidden>
        {[1, 2, 3, 4].map((step) => (
          <span key={step} data-on={(value !== '' && strength >= step) || undefined} />
        ))}
      </div>
      <p className={css.word} aria-live="polite">
        {word && `Strength: ${word.toLowerCase()}`}
      </p>
    </div>
  );
}
