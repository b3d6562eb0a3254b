import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { enquiryBody } from '#contract/calls/contact-us.ts';
import { useIdempotencyKey } from '../../../shared/idempotency-key.ts';
import { useUser } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { sendEnquiry } from '../help.api.ts';

/** A question to the company. It knows who asks; the answer comes by email. */
export function EnquiryForm() {
  const { email } = useUser();
  const { keyFor } = useIdempotencyKey();
  const [isSent, setSent] = useState(false);
  const form = useSchemaForm({
    schema: enquiryBody,
    initialValues: { subject: '', message: '', contact_number: '' },
    unsavedText: 'What you wrote has not been sent yet.',
  });
  const submit = form.onSubmit(async (body) => {
    await sendEnquiry(body, keyFor(body));
    setSent(true);
  });
  if (isSent)
    return (
      <Notice kind="success" title="Your message is on its way to us.">
        We answer to {email}.
      </Notice>
    );
  return (
    <Form form={form} onSubmit={submit}>
      <TextInput {...form.field('subject')} label="Subject" autoComplete="off" />
      <Textarea
        {...form.field('message')}
        label="Message"
        description="Please leave out pupils’ full names; initials will do."
        autosize
        minRows={6}
        maxRows={16}
      />
      <TextInput
        {...form.field('contact_number')}
        label="Phone (optional)"
        description={`If you would rather be called. Otherwise we write to ${email}.`}
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
