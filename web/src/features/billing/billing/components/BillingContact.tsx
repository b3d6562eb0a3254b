import { useId, useState } from 'react';
import type { Contact } from '#contract/calls/contacts.ts';
import type { School } from '#contract/calls/school.ts';
import { can } from '../../../../shared/can.ts';
import { useUser } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Button } from '../../../../ui/Button.tsx';
import { EmailText } from '../../../../ui/EmailText.tsx';
import { Form, FormActions } from '../../../../ui/Form.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import {
  ContactFields,
  contactFormWithEmail,
  contactValues,
  useSaveContact,
} from '../../../school/school/school-form.public.ts';
import { billingContactOf } from '../model/billing-contact.ts';

/** To whom invoices and reminders are sent, and a form to change that. */
export function BillingContact({ school }: { school: School }) {
  const titleId = useId();
  const user = useUser();
  const [state, setState] = useState<'shown' | 'editing' | 'saved'>('shown');
  const contact = billingContactOf(school);
  if (state === 'editing')
    return (
      <section aria-labelledby={titleId}>
        <h2 id={titleId}>Change the billing contact</h2>
        <BillingContactForm schoolId={school.id} contact={contact} onEnd={setState} />
      </section>
    );
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId}>Who gets invoices and reminders</h2>
      {state === 'saved' ? (
        <Notice kind="success" title="The billing contact is saved">
          <Recipients contact={contact} isNew />
        </Notice>
      ) : (
        <p>
          <Recipients contact={contact} />
        </p>
      )}
      {can(user, 'edit_contacts', school) && (
        <Button variant="default" onClick={() => setState('editing')}>
          Change the billing contact
        </Button>
      )}
    </section>
  );
}

function Recipients({ contact, isNew = false }: { contact: Contact | undefined; isNew?: boolean }) {
  if (!contact?.email) return 'There is no billing contact. Administrators and business managers get the reminders.';
  return (
    <>
      {isNew ? 'Invoices and reminders now go to ' : 'Invoices and reminders go to '}
      {contact.contact_name}, <EmailText email={contact.email} />. Administrators and business managers get the
      reminders too.
    </>
  );
}

interface FormProps {
  schoolId: number;
  contact: Contact | undefined;
  onEnd: (state: 'shown' | 'saved') => void;
}

function BillingContactForm({ schoolId, contact, onEnd }: FormProps) {
  const save = useSaveContact(schoolId);
  const form = useSchemaForm({
    schema: contactFormWithEmail,
    initialValues: { ...contactValues(contact), type: 'billing' as const },
    unsavedText: 'What you changed has not been saved yet.',
  });
  const submit = form.onSubmit(async (values) => {
    await save.mutateAsync({ contact: values });
    onEnd('saved');
  });
  return (
    <Form form={form} onSubmit={submit}>
      <ContactFields field={(name) => form.field(name)} hasEmail isBilling />
      <FormActions>
        <Button type="submit" loading={form.isSubmitting}>
          Save
        </Button>
        <Button variant="default" onClick={() => onEnd('shown')}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  );
}
