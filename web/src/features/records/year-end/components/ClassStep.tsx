import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import type { Class } from '#contract/calls/school.ts';
import { count, fullName, listInWords } from '../../../../shared/format.ts';
import { describeProposal } from '../model/records-text.ts';
import type { ClassPlan, Proposal } from '../model/year-end-plan.ts';
import css from '../YearEndPage.module.css';

interface Props {
  schoolClass: Pick<Class, 'id' | 'name' | 'teachers'>;
  /** Names of its pupils. */
  pupils: readonly { id: number; name: string }[];
  staff: readonly { id: number; first_name: string; last_name: string }[];
  plan: ClassPlan;
  proposal: Proposal | undefined;
  problem: string | undefined;
  onChange: (plan: ClassPlan) => void;
}

const STEPS = [
  { value: 'moves_up', label: 'Moves up' },
  { value: 'leaves', label: 'Leaves' },
  { value: 'stays', label: 'Stays as it is' },
];

/** What happens to one class, with every pupil in it. */
export function ClassStep({ schoolClass, pupils, staff, plan, proposal, problem, onChange }: Props) {
  const { id, name, teachers } = schoolClass;
  // A teacher who becomes the first is not listed again.
  const stayingTeachers = teachers
    .slice(1)
    .filter((person) => String(person.id) !== plan.teacher)
    .map(fullName);
  const others = proposal?.step === 'leaves' && plan.step === 'leaves' ? pupils.length - proposal.pupils : 0;
  return (
    <li className={`box ${css.class}`}>
      <div>
        <h2>{name}</h2>
        <p className={`soft ${css.count}`}>{count(pupils.length, 'pupil')}</p>
      </div>
      <NativeSelect
        label="What happens"
        aria-label={`What happens to ${name}`}
        value={plan.step}
        onChange={(event) => onChange({ ...plan, step: event.currentTarget.value as ClassPlan['step'] })}
        data={STEPS}
      />
      {plan.step === 'moves_up' ? (
        <>
          <TextInput
            id={`name-${id}`}
            label="New name"
            aria-label={`New name of ${name}`}
            value={plan.name}
            maxLength={100}
            error={problem}
            autoComplete="off"
            onChange={(event) => onChange({ ...plan, name: event.currentTarget.value })}
          />
          <NativeSelect
            label="Teacher"
            aria-label={`New teacher of ${name}`}
            {...(stayingTeachers.length > 0 && {
              isDescriptionBelow: true,
              description: `${listInWords(stayingTeachers)} ${stayingTeachers.length === 1 ? 'stays a teacher' : 'stay teachers'} of it too.`,
            })}
            value={plan.teacher}
            onChange={(event) => onChange({ ...plan, teacher: event.currentTarget.value })}
            data={[
              { value: '', label: 'No one yet' },
              ...staff.map((person) => ({
                value: String(person.id),
                label: fullName(person),
              })),
            ]}
          />
        </>
      ) : (
        <p className={css.stays}>
          {plan.step === 'leaves'
            ? 'Its pupils go to the archive for up to 30 days, and the class is deleted.'
            : 'Nothing changes.'}
        </p>
      )}
      {proposal && (
        <p className={css.records}>
          {describeProposal(proposal, pupils.length)}
          {others > 0 &&
            ` Move ${count(others, 'other pupil', 'other pupils')} to another class first if they stay: the whole class goes to the archive.`}
        </p>
      )}
      {pupils.length > 0 && (
        <details className={css.pupils}>
          <summary>
            {plan.step === 'leaves'
              ? 'Who leaves'
              : plan.step === 'moves_up'
                ? `Who goes to ${plan.name}`
                : 'Who stays'}
          </summary>
          <ul>
            {pupils.map((pupil) => (
              <li key={pupil.id}>{pupil.name}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
