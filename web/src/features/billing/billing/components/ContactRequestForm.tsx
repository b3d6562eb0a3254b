import { Button } from '../../../../ui/Button.tsx';
import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import { CALL_HOURS, contactRequestBody, DEFAULT_CALL_HOUR } from '#contract/calls/contact-us.ts';
import { useIdempotencyKey } from '../../../../shared/idempotency-key.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { useSession } from '../../../../shared/session.ts';
import { EmailField } from '../../../../ui/EmailField.tsx';
import { FieldPair, Form } from '../../../../ui/Form.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { requestContact } from '../billing.api.ts';

/** `10 am`, `12 noon`, `1 pm`. */
const hourText = (hour: number): string => (hour === 12 ? '12 noon' : hour < 12 ? `${hour} am` : `${hour - 12} pm`);

/** Requests a call or an email about a subscription. */
export function ContactRequestForm({ action }: { action: 'start' | 'renew' }) {
  const session = useSession();
  const { keyFor } = useIdempotencyKey();
  const [isSent, setSent] = useState(false);
  const form = useSchemaForm({
    schema: contactRequestBody,
    initialValues: {
      time: String(DEFAULT_CALL_HOUR),
      contact_number: '',
      email: session?.user.email ?? '',
      contact_preference: '',
    },
  });
  const submit = form.onSubmit(async (body) => {
    await requestContact(action, body, keyFor(body));
    setSent(true);
  });

  if (isSent)
    return (
      <Notice isOutcome kind="success">
        Thanks, we&apos;ve received your request and will attempt to contact you at your requested time.
      </Notice>
    );
  return (
    <Form form={form} onSubmit={submit}>
      <FieldPair>
        <TextInput
          {...form.field('contact_number')}
          label="Contact number"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
        />
        <NativeSelect
          {...form.field('time')}
          label="Time (in London)"
          data={CALL_HOURS.map((hour) => ({ value: String(hour), label: hourText(hour) }))}
        />
      </FieldPair>
      <EmailField {...form.field('email')} autoComplete="email" />
      <RadioButtons
        {...form.field('contact_preference')}
        label="How should we contact you?"
        isRow
        data={[
          { value: 'phone', label: 'Phone' },
          { value: 'email', label: 'Email' },
        ]}
      />
      <Button type="submit" loading={form.isSubmitting}>
        Send request
      </Button>
    </Form>
  );
}
