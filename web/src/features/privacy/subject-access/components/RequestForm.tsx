import { Button } from '../../../../ui/Button.tsx';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { TextInput, Textarea } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { useNavigate } from '../../../../shared/router.ts';
import { subjectRequestBody } from '#contract/calls/subject-requests.ts';
import { readClock, type RequestKind, RIGHTS } from '#contract/rights.ts';
import { paths } from '../../../../paths.ts';
import { formatDate } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Form, FormSection } from '../../../../ui/Form.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { REQUEST_WORDS, STEP_WORDS } from '../model/request-words.ts';
import { useOpenRequest } from '../subject-access.api.ts';

interface Subject {
  kind: 'pupil' | 'staff';
  id: number;
  name: string;
}

const schema = subjectRequestBody.omit({ subject: true, kind: true });
const recordSchema = schema.extend({ school_type: schema.shape.school_type.unwrap().unwrap() });
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What is known about the due day of a request that is being recorded. */
function describeDueDay(kind: RequestKind, receivedOn: string): string {
  if (kind === 'educational_record') return 'Due 15 school days later, by the term dates of your school.';
  if (!DAY.test(receivedOn) || Number.isNaN(Date.parse(receivedOn)))
    return 'The day on which it arrived, by post, email or in person.';
  const { dueOn } = readClock({ kind, received_on: receivedOn, steps: [] });
  const day = formatDate(dueOn ?? receivedOn);
  return kind === 'complaint'
    ? `Acknowledge it by ${day}: 30 days later, or the next working day.`
    : `Due on ${day}: the same date of the next month, or the next working day. Bank holidays that are added for one year only are not counted.`;
}

/** Who asks for what about a person, when, and how that was checked. */
export function RequestForm({ kind, subject }: { kind: RequestKind; subject: Subject }) {
  const open = useOpenRequest(useSchoolId());
  const navigate = useNavigate();
  const [isChecked, setChecked] = useState(true);
  const { title, noun, record, details } = REQUEST_WORDS[kind];
  const right = RIGHTS[kind];
  const isPupil = subject.kind === 'pupil';
  const asksMaturity = isPupil && right.isOfPupil;
  const asksIdentity = !right.isForAcknowledgement;
  const identityNote = STEP_WORDS.identity_confirmed.note;
  const form = useSchemaForm({
    schema: kind === 'educational_record' ? recordSchema : schema,
    initialValues: {
      requester_name: '',
      requester_relation: isPupil ? 'parent' : 'subject',
      details: details ? '' : null,
      identity_check: asksIdentity ? '' : null,
      maturity: asksMaturity ? 'adult_decides' : null,
      school_type: null as string | null,
      received_on: today(),
    },
    unsavedText: `The ${noun} has not been recorded yet.`,
  });
  const chooseChecked = (isNow: boolean) => {
    setChecked(isNow);
    form.form.setFieldValue('identity_check', isNow ? '' : null);
  };
  const submit = form.onSubmit(async (body) => {
    const { request } = await open.mutateAsync({ ...body, kind, subject: { kind: subject.kind, id: subject.id } });
    showToast(noun === 'complaint' ? 'Complaint recorded' : 'Request recorded');
    await navigate(paths.subjectRequest(request.id), { replace: true });
  });
  return (
    <Form form={form} onSubmit={submit}>
      <FormSection title={title(subject.name)}>
        {kind === 'educational_record' && (
          <RadioButtons
            {...form.field('school_type')}
            label="What kind of school are you?"
            description="Academies, independent schools and schools outside England have other rules."
            data={[
              { value: 'maintained', label: 'A school maintained by a council in England' },
              { value: 'non_maintained_special', label: 'A non-maintained special school in England' },
              { value: 'other', label: 'Another school' },
            ]}
          />
        )}
        <TextInput
          {...form.field('received_on')}
          type="date"
          label="Received on"
          description={describeDueDay(kind, form.form.values.received_on)}
        />
        {details && (
          <Textarea
            {...form.field('details')}
            label={details.label}
            description={`In the person’s own words. For example: ${details.example}`}
            rows={3}
            maxRows={12}
          />
        )}
        <TextInput
          {...form.field('requester_name')}
          label={noun === 'complaint' ? 'Name of the person who complains' : 'Name of the person who asks'}
          autoComplete="off"
        />
        {kind !== 'educational_record' && (
          <RadioButtons
            {...form.field('requester_relation')}
            label={noun === 'complaint' ? 'Who complains' : 'Who asks'}
            data={[
              ...(isPupil ? [{ value: 'parent', label: 'A parent or carer' }] : []),
              { value: 'subject', label: isPupil ? 'The pupil' : 'The member of staff' },
              { value: 'other', label: 'Someone else, such as a solicitor' },
            ]}
          />
        )}
        {asksIdentity && (
          <RadioButtons
            label="Do you know that it is them?"
            value={isChecked ? 'yes' : 'no'}
            onChange={(value) => chooseChecked(value === 'yes')}
            description={
              right.startsOn === 'identity'
                ? 'If you ask for proof of identity, the clock starts when it arrives. You record that on the next page.'
                : 'The clock does not wait for proof of identity.'
            }
            data={[
              { value: 'yes', label: 'Yes' },
              { value: 'no', label: 'Not yet' },
            ]}
          />
        )}
        {asksIdentity && isChecked && (
          <Textarea
            {...form.field('identity_check')}
            label={identityNote?.label}
            description={identityNote?.description}
            rows={2}
            maxRows={6}
          />
        )}
        {asksMaturity && (
          <RadioButtons
            {...form.field('maturity')}
            label="Who decides about the request"
            description="Children decide themselves once they understand what the request means. There is no fixed age."
            data={[
              { value: 'adult_decides', label: 'A parent or carer: the pupil is too young to understand it' },
              { value: 'pupil_decides', label: 'The pupil, who understands it and has agreed' },
            ]}
          />
        )}
        <Button type="submit" loading={form.isSubmitting}>
          {record}
        </Button>
        <p>
          <Link to={paths.newSubjectRequest({ [subject.kind]: subject.id })}>Record something else instead</Link>
        </p>
      </FormSection>
    </Form>
  );
}
