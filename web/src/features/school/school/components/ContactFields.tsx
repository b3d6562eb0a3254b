import { NativeSelect, TextInput, type TextInputProps } from '../../../../ui/Field.tsx';
import { useMemo } from 'react';
import { FieldPair } from '../../../../ui/Form.tsx';
import { countryChoices } from '../model/contact-form.ts';

/** `form.field` of useSchemaForm, with the contact's path. */
type Field = (name: string) => object;

interface Props {
  field: Field;
  /** Shows the contact's own email. */
  hasEmail?: boolean;
  /** A second address on the page, so that the browser fills it in separately. */
  isBilling?: boolean;
}

/** Name, address and phone of a school's contact. */
export function ContactFields({ field, hasEmail = false, isBilling = false }: Props) {
  const auto = (name: string) => (isBilling ? `billing ${name}` : name);
  const text = (name: string, label: string, props: TextInputProps = {}) => (
    <TextInput {...field(name)} label={label} {...props} />
  );
  const { first, others } = useMemo(() => countryChoices(), []);
  return (
    <>
      <FieldPair>
        {text('contact_name', 'Contact name', { autoComplete: auto('name') })}
        {text('job_role', 'Job role (optional)', { autoComplete: auto('organization-title') })}
      </FieldPair>
      {text('address_line_1', 'Address line 1', { autoComplete: auto('address-line1') })}
      {text('address_line_2', 'Address line 2 (optional)', { autoComplete: auto('address-line2') })}
      <FieldPair>
        {text('address_line_3', 'Address line 3 (optional)', { autoComplete: auto('address-line3') })}
        {text('address_line_4', 'Address line 4 (optional)', { autoComplete: auto('address-level2') })}
      </FieldPair>
      <FieldPair>
        {text('postcode', 'Postcode', {
          autoComplete: auto('postal-code'),
          autoCapitalize: 'characters',
          spellCheck: false,
        })}
        <NativeSelect {...field('country_code')} label="Country" autoComplete={auto('country')}>
          {first.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <hr />
          {others.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </FieldPair>
      <FieldPair>
        {text('telephone', 'Phone', {
          type: 'tel',
          inputMode: 'tel',
          autoComplete: auto('tel'),
          description: 'For example, 0161 496 0000',
        })}
        {hasEmail &&
          text('email', 'Contact email', {
            type: 'email',
            inputMode: 'email',
            autoComplete: auto('email'),
            autoCapitalize: 'none',
            spellCheck: false,
            description: 'We send the school’s emails here',
          })}
      </FieldPair>
    </>
  );
}

/** The school's name and URN. */
export function SchoolFields({ field }: { field: Field }) {
  return (
    <>
      <TextInput {...field('name')} label="School name" autoComplete="organization" />
      <TextInput
        {...field('urn')}
        label="URN (optional)"
        description="The school’s six-digit reference number in England"
        inputMode="numeric"
        autoComplete="off"
      />
    </>
  );
}
