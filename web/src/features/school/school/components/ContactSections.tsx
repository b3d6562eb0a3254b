import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { FormSection } from '../../../../ui/Form.tsx';
import { ContactFields } from './ContactFields.tsx';

interface Props {
  /** `form.field` of useSchemaForm, whose form has `primary`, `billing` and `is_same`. */
  field: (name: string, options?: { type: 'checkbox' }) => object;
  /** Whether the primary contact gets the invoices too. */
  isSame: boolean;
}

/** The primary and the billing contact of a school, in a form. */
export const ContactSections = ({ field, isSame }: Props) => (
  <>
    <FormSection title="Primary contact">
      <ContactFields field={(name) => field(`primary.${name}`)} hasEmail />
    </FormSection>
    <FormSection title="Billing contact">
      <Checkbox {...field('is_same', { type: 'checkbox' })} label="Billing same as primary" />
      {!isSame && <ContactFields field={(name) => field(`billing.${name}`)} hasEmail isBilling />}
    </FormSection>
  </>
);
