import { Button, Radio, TextInput, Textarea } from '@mantine/core';
import { useNavigate } from 'react-router';
import { subjectRequestBody } from '#contract/calls/subject-requests.ts';
import { subjectRequestDueOn } from '#contract/subject-request-dates.ts';
import { paths } from '../../../paths.ts';
import { formatDate } from '../../../shared/format.ts';
import { today } from '../../../shared/school-day.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Form, FormSection } from '../../../ui/Form.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useOpenRequest } from '../subject-access.api.ts';

interface Subject {
  kind: 'pupil' | 'staff';
  id: number;
  name: string;
}

const schema = subjectRequestBody.omit({ subject: true });
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Who asks for everything about a person, when, and how that was checked. */
export function RequestForm({ subject: { kind, id, name } }: { subject: Subject }) {
  const open = useOpenRequest(useSchoolId());
  const navigate = useNavigate();
  const isPupil = kind === 'pupil';
  const form = useSchemaForm({
    schema,
    initialValues: {
      requester_name: '',
      requester_relation: isPupil ? 'parent' : 'subject',
      identity_check: '',
      maturity: isPupil ? 'adult_decides' : null,
      received_on: today(),
    },
    unsavedText: 'The request has not been recorded yet.',
  });
  const submit = form.onSubmit(async (body) => {
    const { request } = await open.mutateAsync({ ...body, subject: { kind, id } });
    showToast('Request recorded');
    await navigate(paths.subjectRequest(request.id), { replace: true });
  });
  const receivedOn = form.form.values.received_on;
  return (
    <Form form={form} onSubmit={submit}>
      <FormSection title={`Everything about ${name}`}>
        <TextInput
          {...form.field('received_on')}
          type="date"
          label="Received on"
          description={
            DAY.test(receivedOn) && !Number.isNaN(Date.parse(receivedOn))
              ? `Due on ${formatDate(subjectRequestDueOn(receivedOn))}: the same date of the next month, or the next working day. Bank holidays that are added for one year only are not counted.`
              : 'The day on which the request arrived, by post, email or in person.'
          }
        />
        <TextInput {...form.field('requester_name')} label="Name of the person who asks" autoComplete="off" />
        <Radio.Group {...form.field('requester_relation')} label="Who asks">
          {isPupil && <Radio value="parent" label="A parent or carer" mt="xs" />}
          <Radio value="subject" label={isPupil ? 'The pupil' : 'The member of staff'} mt="xs" />
          <Radio value="other" label="Someone else, such as a solicitor" mt="xs" />
        </Radio.Group>
        <Textarea
          {...form.field('identity_check')}
          label="How you checked who asks"
          description="For example: “Known to the office; showed a passport.” Do not copy numbers of documents."
          autosize
          minRows={2}
          maxRows={6}
        />
        {isPupil && (
          <Radio.Group
            {...form.field('maturity')}
            label="Who decides about the request"
            description="Children decide themselves once they understand what the request means. There is no fixed age."
          >
            <Radio value="adult_decides" label="A parent or carer: the pupil is too young to understand it" mt="xs" />
            <Radio value="pupil_decides" label="The pupil, who understands it and has agreed" mt="xs" />
          </Radio.Group>
        )}
        <Button type="submit" loading={form.isSubmitting}>
          Record the request
        </Button>
      </FormSection>
    </Form>
  );
}
