import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { contactInput, schoolBody } from '#contract/calls/school-details.ts';
import type { Contact, Enterprise } from '#contract/calls/school.ts';
import { DEFAULT_COUNTRY } from '#contract/countries.ts';
import { paths } from '../../../paths.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useSaveDetails } from '../school-details.api.ts';
import { ContactFields } from './ContactFields.tsx';
import css from './DetailsForm.module.css';

const both = z.object({ school: schoolBody, primary: contactInput, billing: contactInput });
const primaryAlone = z.object({ school: schoolBody, primary: contactInput, billing: z.unknown() });

const valuesOf = (type: Contact['type'], contact: Contact | undefined) => ({
  type,
  contact_name: contact?.contact_name ?? '',
  job_role: contact?.job_role ?? '',
  address_line_1: contact?.address_line_1 ?? '',
  address_line_2: contact?.address_line_2 ?? '',
  address_line_3: contact?.address_line_3 ?? '',
  address_line_4: contact?.address_line_4 ?? '',
  postcode: contact?.postcode ?? '',
  country_code: contact?.country_code ?? DEFAULT_COUNTRY,
  telephone: contact?.telephone ?? '',
  email: contact?.email ?? '',
});

/** The school's name, URN and contacts. Begins with what is stored and keeps what is typed. */
export function DetailsForm({ school }: { school: Enterprise }) {
  const navigate = useNavigate();
  const save = useSaveDetails(school.id);
  const [stored] = useState(() => {
    const of = (type: Contact['type']) => school.contacts.find((contact) => contact.type === type);
    const primary = valuesOf('primary', of('primary'));
    const billing = valuesOf('billing', of('billing') ?? of('primary'));
    return { values: { school: { name: school.name, urn: school.urn ?? '' }, primary, billing }, hasBilling: of('billing') !== undefined, isSame: JSON.stringify({ ...primary, type: 'billing' }) === JSON.stringify(billing) };
  });
  const [isSame, setSame] = useState(stored.isSame);
  const form = useSchemaForm({ schema: isSame ? primaryAlone : both, initialValues: stored.values });
  const [isSaved, setSaved] = useState(false);

  const submit = form.onSubmit(async ({ school: named, primary }) => {
    // Without a billing contact of its own the school's invoices go to the primary one anyway.
    const billing = isSame ? (stored.hasBilling ? primary : null) : form.form.values.billing;
    await save.mutateAsync({ school: named, primary, billing });
    setSaved(true);
    showToast('Details saved');
    setTimeout(() => void navigate(paths.school()));
  });

  return (
    <form onSubmit={submit} noValidate className={css.form}>
      <ErrorSummary errors={form.summary} attempt={form.attempt} />
      <fieldset>
        <legend>School</legend>
        <TextInput {...form.field('school.name')} label="School name" size="md" autoComplete="organization" />
        <TextInput {...form.field('school.urn')} label="URN (optional)" description="The six digits of your school in the national register" size="md" className={css.short!} inputMode="numeric" autoComplete="off" />
      </fieldset>
      <fieldset>
        <legend>Primary contact</legend>
        <ContactFields part="primary" field={form.field} />
      </fieldset>
      <fieldset>
        <legend>Billing contact</legend>
        <Checkbox label="Billing same as primary" checked={isSame} onChange={(event) => setSame(event.currentTarget.checked)} />
        {!isSame && <ContactFields part="billing" field={form.field} />}
      </fieldset>
      <div className={css.buttons}>
        <Button type="submit" size="md" loading={form.isSubmitting}>
          Save
        </Button>
        <ButtonLink to={paths.school()} variant="default" size="md">
          Cancel
        </ButtonLink>
      </div>
      <LeaveGuard isDirty={form.form.isDirty() && !isSaved}>What you changed has not been saved yet.</LeaveGuard>
    </form>
  );
}
