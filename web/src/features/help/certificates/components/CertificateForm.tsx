import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import { certificateQuery } from '#contract/calls/certificates.ts';
import { CERTIFICATES } from '#contract/certificates.ts';
import { count } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { downloadCertificates, type Recipient } from '../certificates.api.ts';

const schema = certificateQuery.pick({ certificate: true, reason: true, date: true });

/** Asks for the kind, reason and date of a certificate, and downloads it. */
export default function CertificateForm({ recipient, onDone }: { recipient: Recipient; onDone: () => void }) {
  const schoolId = useSchoolId();
  const pupilCount = recipient.kind === 'class' ? (recipient.pupilCount ?? 0) : 0;
  const hasPupils = pupilCount > 0;
  const [isForClass, setForClass] = useState(recipient.kind === 'class' && !hasPupils);
  const form = useSchemaForm({
    schema,
    initialValues: {
      certificate: recipient.kind === 'class' && !hasPupils ? 'class-of-the-week' : 'reader-of-the-week',
      reason: '',
      date: today(),
    },
  });
  const save = form.onSubmit(async (body) => {
    await downloadCertificates(schoolId, recipient, !isForClass, body);
    onDone();
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onDone} action="Download certificate">
      <NativeSelect
        {...form.field('certificate')}
        label="Certificate"
        data={Object.entries(CERTIFICATES).map(([value, label]) => ({ value, label }))}
        data-autofocus
      />
      {hasPupils && (
        <RadioButtons
          label="Who is it for?"
          value={isForClass ? 'class' : 'pupils'}
          onChange={(value) => setForClass(value === 'class')}
          data={[
            { value: 'pupils', label: `Each pupil: ${count(pupilCount, 'page')}` },
            { value: 'class', label: `${recipient.name} as a whole: one page` },
          ]}
        />
      )}
      <TextInput
        {...form.field('reason')}
        label="Reason (optional)"
        description="For example, for reading every day this week"
        maxLength={120}
        autoComplete="off"
      />
      <TextInput {...form.field('date')} label="Date" type="date" />
    </DialogForm>
  );
}
