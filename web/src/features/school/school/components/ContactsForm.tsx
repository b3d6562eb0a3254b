import { useState } from 'react';
import { z } from 'zod';
import { schoolDetailsBody } from '#contract/calls/school-details.ts';
import { contactInput } from '#contract/calls/contacts.ts';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../../paths.ts';
import { useNavigate } from '../../../../shared/router.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Form, FormActions } from '../../../../ui/Form.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { changedContacts, detailsValues } from '../model/contact-form.ts';
import { useSaveContact } from '../school-details.api.ts';
import { ContactSections } from './ContactSections.tsx';

const contactsBody = schoolDetailsBody.omit({ school: true });
const separateBilling = contactsBody.extend({ is_same: z.literal(false), billing: contactInput });
const sameBilling = contactsBody.extend({ is_same: z.literal(true), billing: z.unknown() });

/** The school's contacts, for a business manager, who cannot change its name. */
export function ContactsForm({ school }: { school: School }) {
  const navigate = useNavigate();
  const save = useSaveContact(school.id);
  const [{ school: _, ...initialValues }] = useState(() => detailsValues(school));
  const [isSame, setSame] = useState(initialValues.is_same);
  const form = useSchemaForm({
    schema: isSame ? sameBilling : separateBilling,
    initialValues,
    unsavedText: 'What you changed has not been saved yet.',
  });
  // The schema depends on the checkbox.
  if (form.form.values.is_same !== isSame) setSame(form.form.values.is_same);

  const submit = form.onSubmit(async () => {
    for (const contact of changedContacts(school, form.form.values)) await save.mutateAsync({ contact });
    showToast('Details saved');
    await navigate(paths.school());
  });

  return (
    <Form form={form} onSubmit={submit}>
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
