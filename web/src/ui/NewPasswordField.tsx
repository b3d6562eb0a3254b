import type { ComponentProps } from 'react';
import { isMadeOfNames, SHORTEST_PASSWORD } from '#contract/password-names.ts';
import { PRODUCT_NAME } from '../shared/product.ts';
import css from './NewPasswordField.module.css';
import { PasswordField } from './PasswordField.tsx';
import { estimateStrength, GOOD_LENGTH, STRENGTH_WORDS } from './password-strength.ts';

type Props = Omit<ComponentProps<typeof PasswordField>, 'autoComplete' | 'value' | 'description'> & {
  value?: string;
  /** The names of the user and their school, as far as the page knows them. The password must not be made of these. */
  names?: readonly string[];
};

const ADVICE = ['', 'a few more words or characters help', 'a longer one is harder to guess', '', ''];

/** A password that is being chosen: can be shown, and says how hard it is to guess. */
export function NewPasswordField({ value = '', names = [], ...props }: Props) {
  const estimate = estimateStrength(value);
  const isNames = estimate > 0 && isMadeOfNames(value, [...names, PRODUCT_NAME]);
  const strength = isNames ? 1 : estimate;
  const advice = isNames ? `choose one without your name, your school’s name or ${PRODUCT_NAME}` : ADVICE[strength];
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
        {value !== '' && ['Strength', STRENGTH_WORDS[strength].toLowerCase(), advice].filter(Boolean).join(': ')}
      </p>
    </div>
  );
}
