import { NativeSelect, TextInput } from '@mantine/core';
import { countryChoices } from './country-names.ts';
import css from './ContactFields.module.css';

interface Props {
  /** Where the contact stands in the form: `primary`. */
  part: 'primary' | 'billing';
  /** Gives a field its value, error and id by its path in the form. */
  field: (path: string) => object;
}

const COUNTRIES = countryChoices();

/** The fields of a contact. */
export function ContactFields({ part, field }: Props) {
  const at = (name: string) => field(`${part}.${name}`);
  // A browser may fill in the person's own address, and a second one under its own name.
  const auto = (name: string) => (part === 'billing' ? `billing ${name}` : name);
  return (
    <div className={css.fields}>
      <TextInput {...at('contact_name')} label="Contact name" size="md" autoComplete={auto('name')} />
      <TextInput {...at('job_role')} label="Job role (optional)" size="md" autoComplete={auto('organization-title')} />
      <TextInput {...at('address_line_1')} label="Address line 1" size="md" autoComplete={auto('address-line1')} />
      <TextInput {...at('address_line_2')} label="Address line 2 (optional)" size="md" autoComplete={auto('address-line2')} />
      <TextInput {...at('address_line_3')} label="Address line 3 (optional)" size="md" autoComplete={auto('address-line3')} />
      <TextInput {...at('address_line_4')} label="Address line 4 (optional)" size="md" autoComplete="off" />
      <TextInput {...at('postcode')} label="Postcode" size="md" className={css.short!} autoComplete={auto('postal-code')} />
      <NativeSelect {...at('country_code')} label="Country" size="md" autoComplete={auto('country')} data={COUNTRIES} />
      <TextInput {...at('telephone')} label="Phone" type="tel" size="md" className={css.short!} autoComplete={auto('tel')} />
      <TextInput {...at('email')} label="Email (optional)" type="email" size="md" autoComplete={auto('email')} autoCapitalize="none" spellCheck={false} />
    </div>
  );
}
