import type { Cover } from '#contract/calls/covers.ts';
import type { Class, School } from '#contract/calls/school.ts';
import { MAX_COVER_DAYS } from '#contract/limits.ts';
import { hasClasses, isTeachingRole } from '#contract/permissions.ts';
import { plusDays } from '#contract/school-calendar.ts';
import { fullName } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import { useStartCover } from '../covers.api.ts';
import { listCoverEnds } from '../model/cover-ends.ts';
import { coverForm, emptyCoverForm, OTHER_END, toCoverBody } from '../model/cover-form.ts';

/** The staff who can cover the class: they can have classes, and cannot already change this one. */
const listColleagues = (staff: School['users'], { teachers }: Class): School['users'] =>
  staff.filter(({ id, role }) => role !== 'admin' && hasClasses(role) && !teachers.some((one) => one.id === id));

interface Props {
  schoolClass: Class;
  staff: School['users'];
  onStarted: (cover: Cover) => Promise<void>;
  onCancel: () => void;
}

/** Asks who covers a class, and until when. */
export function CoverForm({ schoolClass, staff, onStarted, onCancel }: Props) {
  const colleagues = listColleagues(staff, schoolClass);
  const start = useStartCover(useSchoolId());
  const form = useSchemaForm({
    schema: coverForm,
    initialValues: emptyCoverForm(colleagues.length > 0),
    idPrefix: 'cover-',
  });
  const { who, ends_at } = form.form.values;
  const save = form.onSubmit(async (values) => {
    const { cover } = await start.mutateAsync(toCoverBody(schoolClass.id, values));
    await onStarted(cover);
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onCancel} action="Start cover">
      {colleagues.length > 0 && (
        <RadioButtons
          {...form.field('who')}
          label="Who"
          isRow
          data={[
            { value: 'colleague', label: 'A colleague' },
            { value: 'supply', label: 'A supply teacher' },
          ]}
        />
      )}
      {who === 'colleague' ? (
        <NativeSelect
          {...form.field('user_id')}
          label="Colleague"
          data={[
            { value: '', label: 'Choose a colleague', disabled: true },
            ...colleagues.map((person) => ({
              value: String(person.id),
              label: `${fullName(person)}${isTeachingRole(person.role) ? '' : ' (teaching assistant)'}`,
            })),
          ]}
        />
      ) : (
        <>
          <TextInput {...form.field('first_name')} label="First name" autoComplete="off" spellCheck={false} />
          <TextInput {...form.field('last_name')} label="Last name" autoComplete="off" spellCheck={false} />
        </>
      )}
      <RadioButtons
        {...form.field('ends_at')}
        label="Until"
        data={[
          ...listCoverEnds().map(({ endsAt, label }) => ({ value: endsAt, label })),
          { value: OTHER_END, label: 'Another day and time' },
        ]}
      />
      {ends_at === OTHER_END && (
        <div className="tools">
          <TextInput
            {...form.field('day')}
            type="date"
            label="Day"
            min={today()}
            max={plusDays(today(), MAX_COVER_DAYS)}
          />
          <TextInput {...form.field('time')} type="time" label="Time" />
        </div>
      )}
      <p className="flat">
        They see the pupils of the class and how they read, make new login cards, correct names and year groups, and
        move pupils. No notes, tags or reasons why a pupil needs help.
        {who === 'supply' && ' They need no account: the next step is a card with a code to log in with.'}
      </p>
    </DialogForm>
  );
}
