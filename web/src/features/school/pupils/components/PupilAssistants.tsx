import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { School } from '#contract/calls/school.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { WhileOpen } from '../../school/school.public.ts';
import { pupilAssistantsQuery, useAddPupilAssistant, useRemovePupilAssistant } from '../pupil-assistants.api.ts';

interface Props {
  pupil: Pick<Pupil, 'id' | 'name' | 'group'>;
  school: Pick<School, 'users' | 'groups'>;
}

/** The teaching assistants who see a pupil, for those who can change the pupil. Nothing in a school without any. */
export function PupilAssistants({ pupil, school }: Props) {
  const schoolId = useSchoolId();
  const staff = school.users.filter(({ role }) => role === 'teaching_assistant');
  const result = useQuery({ ...pupilAssistantsQuery(schoolId, pupil.id), enabled: staff.length > 0 });
  const remove = useRemovePupilAssistant(schoolId, pupil.id);
  const [isAdding, setAdding] = useState(false);
  const named = result.data?.assistants;
  if (staff.length === 0) return null;
  const ofClass = school.groups.find(({ id }) => id === pupil.group?.id)?.assistants ?? [];
  const known = new Set([...ofClass, ...(named ?? [])].map(({ id }) => id));
  const offered = staff.filter(({ id }) => !known.has(id));
  return (
    <section className="below-2xl no-print" aria-labelledby="assistants-title">
      <SectionHead
        id="assistants-title"
        title="Teaching assistants"
        actions={
          offered.length > 0 && (
            <WhileOpen>
              <Button variant="default" onClick={() => setAdding(true)}>
                Add a teaching assistant
              </Button>
            </WhileOpen>
          )
        }
      />
      {result.error && !named && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {remove.error && <ErrorNotice error={remove.error} />}
      {ofClass.length > 0 && (
        <p>
          {listInWords(ofClass.map(fullName))} {ofClass.length === 1 ? 'helps' : 'help'} in {pupil.group?.name}.
        </p>
      )}
      {named?.length === 0 && ofClass.length === 0 && (
        <p className="soft">
          No teaching assistant sees this pupil. One can help a pupil outside the classes they help in.
        </p>
      )}
      {named && named.length > 0 && (
        <ul className="cluster">
          {named.map((person) => (
            <li key={person.id} className="row">
              {fullName(person)}
              <WhileOpen>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`Remove ${fullName(person)} from ${pupil.name}`}
                  onClick={() => remove.mutate(person.id)}
                >
                  Remove
                </Button>
              </WhileOpen>
            </li>
          ))}
        </ul>
      )}
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title={`Who helps ${pupil.name}?`}>
        <AssistantForm pupilId={pupil.id} offered={offered} onClose={() => setAdding(false)} />
      </Dialog>
    </section>
  );
}

const assistantForm = z.object({ assistant: z.string().min(1, 'Choose a teaching assistant.') });

interface FormProps {
  pupilId: number;
  offered: School['users'];
  onClose: () => void;
}

function AssistantForm({ pupilId, offered, onClose }: FormProps) {
  const add = useAddPupilAssistant(useSchoolId(), pupilId);
  const form = useSchemaForm({ schema: assistantForm, initialValues: { assistant: '' } });
  const save = form.onSubmit(async ({ assistant }) => {
    await add.mutateAsync(Number(assistant));
    const person = offered.find(({ id }) => String(id) === assistant);
    showToast('The teaching assistant can see the pupil', { ...(person && { detail: fullName(person) }) });
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Add">
      <NativeSelect
        {...form.field('assistant')}
        label="Teaching assistant"
        description="They see the pupil’s name and reading, and print new logins. No notes or tags."
        data-autofocus
        data={[
          { value: '', label: 'Choose a teaching assistant', disabled: true },
          ...offered.map((person) => ({ value: String(person.id), label: fullName(person) })),
        ]}
      />
    </DialogForm>
  );
}
