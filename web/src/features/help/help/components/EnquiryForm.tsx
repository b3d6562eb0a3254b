import { Button } from '../../../../ui/Button.tsx';
import { Textarea, TextInput } from '../../../../ui/Field.tsx';
import { useEffect, useState } from 'react';
import { contactCalls, enquiryBody } from '#contract/calls/contact-us.ts';
import { call } from '../../../../shared/api-client.ts';
import { useIdempotencyKey } from '../../../../shared/idempotency-key.ts';
import { useLocation } from '../../../../shared/router.ts';
import { useUser } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Form } from '../../../../ui/Form.tsx';
import { Notice } from '../../../../ui/Notice.tsx';

/** A part of an address as text; empty where it is no encoded text. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** A message to support from the signed-in user. The reply is sent by email. */
export function EnquiryForm() {
  const { email } = useUser();
  const { keyFor } = useIdempotencyKey();
  const [isSent, setSent] = useState(false);
  const form = useSchemaForm({
    schema: enquiryBody,
    initialValues: { subject: '', message: '', contact_number: '' },
    unsavedText: 'What you wrote has not been sent yet.',
  });
  // What a link to this page begins the message with. The server does not see it, so it is not in the first page.
  const { hash } = useLocation();
  const begun = hash.startsWith('#message=') ? hash.slice('#message='.length) : '';
  const { setFieldValue } = form.form;
  useEffect(() => {
    const message = decodePart(begun);
    if (message) setFieldValue('message', message);
  }, [begun, setFieldValue]);
  const submit = form.onSubmit(async (body) => {
    await call(contactCalls.sendEnquiry, { body, idempotencyKey: keyFor(body) });
    setSent(true);
  });
  if (isSent)
    return (
      <Notice isOutcome kind="success" title="We have received your message.">
        We’ll reply to {email}.
      </Notice>
    );
  return (
    <Form form={form} onSubmit={submit}>
      <TextInput {...form.field('subject')} label="Subject" autoComplete="off" />
      <Textarea
        {...form.field('message')}
        label="Message"
        description="Do not include pupils’ full names. Use initials instead."
        rows={6}
        maxRows={16}
      />
      <TextInput
        {...form.field('contact_number')}
        label="Phone (optional)"
        description={`If you would like us to call you. Otherwise we’ll email ${email}.`}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <Button type="submit" loading={form.isSubmitting}>
        Send message
      </Button>
    </Form>
  );
}
