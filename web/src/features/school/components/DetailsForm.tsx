import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { schoolBody } from '#contract/calls/school-details.ts';
import { type Contact, contactInput } from '#contract/calls/contacts.ts';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx';
import { LeaveGuard, useLeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useSaveDetails } from '../school-details.api.ts';
import { ContactFields, SchoolFields } from './ContactFields.tsx';
import { contactValues } from '../model/contact-form.ts';
import css from './DetailsForm.module.css';

const both = z.object({ school: schoolBody, primary: contactInput, billing: contactInput });
const primaryAlone = z.object({ school: schoolBody, primary: contactInput, billing: z.unknown() });

const valuesOf = (type: Contact['type'], contact: Contact | undefined) => ({ type, ...contactValues(contact) });

/** The school's name, URN and contacts. Begins with what is stored and keeps what is typed. */
export function DetailsForm({ school }: { school: School }) {
  const navigate = useNavigate();
  const save = useSaveDetails(school.id);
  const [stored] = useState(() => {
    const of = (type: Contact['type']) => school.contacts.find((contact) => contact.type === type);
    const primary = valuesOf('primary', of('primary'));
    const billing = valuesOf('billing', of('billing') ?? of('primary'));
    return {
      values: { school: { name: school.name, urn: school.urn ?? '' }, primary, billing },
      hasBilling: of('billing') !== undefined,
      isSame: JSON.stringify({ ...primary, type: 'billing' }) === JSON.stringify(billing),
    };
  });
  const [isSame, setSame] = useState(stored.isSame);
  const form = useSchemaForm({ schema: isSame ? primaryAlone : both, initialValues: stored.values });
  const { guard, release } = useLeaveGuard(form.form.isDirty());

  const submit = form.onSubmit(async ({ school: named, primary }) => {
    // Without a billing contact of its own the school's invoices go to the primary one anyway.
    const billing = isSame ? (stored.hasBilling ? primary : null) : form.form.values.billing;
    await save.mutateAsync({ school: named, primary, billing });
    showToast('Details saved');
    release();
    await navigate(paths.school());
  });

  return (
    <form method="post" onSubmit={submit} noValidate className={css.form}>
      <ErrorSummary errors={form.summary} attempt={form.attempt} />
      <fieldset>
        <legend>School</legend>
        <SchoolFields field={(name) => form.field(`school.${name}`)} />
      </fieldset>
      <fieldset>
        <legend>Primary contact</legend>
        <ContactFields field={(name) => form.field(`primary.${name}`)} hasEmail />
      </fieldset>
      <fieldset>
        <legend>Billing contact</legend>
        <Checkbox
          label="Billing same as primary"
          checked={isSame}
          onChange={(event) => setSame(event.currentTarget.checked)}
        />
        {!isSame && <ContactFields field={(name) => form.field(`billing.${name}`)} hasEmail isBilling />}
      </fieldset>
      <div className={css.buttons}>
        <Button type="submit" loading={form.isSubmitting}>
          Save
        </Button>
        <ButtonLink to={paths.school()} variant="default">
          Cancel
        </ButtonLink>
      </div>
      <LeaveGuard {...guard}>What you changed has not been saved yet.</LeaveGuard>
    </form>
  );
}
