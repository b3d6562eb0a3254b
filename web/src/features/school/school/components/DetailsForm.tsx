import { Button } from '../../../../ui/Button.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { useNavigate } from '../../../../shared/router.ts';
import { z } from 'zod';
import { schoolBody, schoolDetailsBody } from '#contract/calls/school-details.ts';
import type { School } from '#contract/calls/school.ts';
import { NATION_NAMES, NATIONS } from '#contract/nations.ts';
import { paths } from '../../../../paths.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Form, FormActions, FormSection } from '../../../../ui/Form.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSaveDetails } from '../school-details.api.ts';
import { SchoolFields } from './ContactFields.tsx';
import { ContactSections } from './ContactSections.tsx';
import { detailsValues, hasContact } from '../model/contact-form.ts';

/** An empty nation is outside the United Kingdom. */
const detailsBody = schoolDetailsBody.extend({ school: schoolBody.extend({ nation: z.enum(['', ...NATIONS]) }) });
const separateBilling = detailsBody.extend({ is_same: z.literal(false) });
const sameBilling = detailsBody.omit({ billing: true }).extend({ is_same: z.literal(true), billing: z.unknown() });

/** The school's name, URN, nation and contacts. */
export function DetailsForm({ school }: { school: School }) {
  const navigate = useNavigate();
  const save = useSaveDetails(school.id);
  const [initialValues] = useState(() => detailsValues(school));
  const [isSame, setSame] = useState(initialValues.is_same);
  const form = useSchemaForm({
    schema: isSame ? sameBilling : separateBilling,
    initialValues,
    unsavedText: 'What you changed has not been saved yet.',
  });
  // The schema depends on the checkbox.
  if (form.form.values.is_same !== isSame) setSame(form.form.values.is_same);

  const submit = form.onSubmit(async () => {
    const { school: values, primary, billing } = form.form.values;
    const { nation, ...named } = values;
    // Without it, the nation goes on following the postcode.
    const chosen = nation === initialValues.school.nation ? {} : { nation: nation || null };
    // Without a billing contact of its own, the primary contact gets the school's invoices.
    const sameAsPrimary = hasContact(school, 'billing') ? primary : null;
    await save.mutateAsync({ school: { ...named, ...chosen }, primary, billing: isSame ? sameAsPrimary : billing });
    showToast('Details saved');
    await navigate(paths.school());
  });

  return (
    <Form form={form} onSubmit={submit}>
      <FormSection title="School">
        <SchoolFields field={(name) => form.field(`school.${name}`)} />
        <NativeSelect
          {...form.field('school.nation')}
          label="Nation"
          description={
            school.nation_chosen
              ? undefined
              : 'We guessed this from the postcode of the primary contact. Change it if it is wrong.'
          }
          autoComplete="off"
        >
          {NATIONS.map((nation) => (
            <option key={nation} value={nation}>
              {NATION_NAMES[nation]}
            </option>
          ))}
          <option value="">Outside the United Kingdom</option>
        </NativeSelect>
      </FormSection>
      <ContactSections field={form.field} isSame={isSame} />
      <FormActions>
        <Button type="submit" loading={form.isSubmitting}>
          Save
        </Button>
        <ButtonLink to={paths.school()} variant="default">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  );
}
