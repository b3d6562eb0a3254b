import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { answerAllSame, type Choices, toggled } from '../model/answers.ts';
import { PlanPart } from '../../runs/runs.public.ts';
import { TickedPupils } from './TickedPupils.tsx';

interface Props {
  /** What the page calls where the plan comes from. */
  source: string;
  plan: SchoolRecordsPlan;
  choices: Choices;
  onChange: (part: Partial<Choices>) => void;
}

/** What an admin answers: who is whom, which class, who has left, whom to invite. Nothing happens without an answer. */
export function PlanQuestions({ source, plan, choices, onChange }: Props) {
  const expected = plan.leavers.filter(({ is_expected: isExpected }) => isExpected);
  const unexpected = plan.leavers.filter(({ is_expected: isExpected }) => !isExpected);
  return (
    <>
      <PlanPart
        title="The same pupil?"
        rows={plan.questions}
        note={`These pupils in ${source} may be pupils who are here already. Without an answer nothing happens.`}
        action={
          <Button variant="default" onClick={() => onChange({ merges: answerAllSame(plan.questions) })}>
            They are all the same pupils
          </Button>
        }
      >
        {({ source_id: sourceId, name, class: to, candidates }) => (
          <li key={sourceId}>
            <NativeSelect
              label={`${name}${to ? `, ${to}` : ''}`}
              value={choices.merges.get(sourceId) ?? ''}
              onChange={(event) =>
                onChange({ merges: new Map(choices.merges).set(sourceId, event.currentTarget.value) })
              }
              data={[
                { value: '', label: 'Decide later' },
                ...candidates.map((candidate) => ({
                  value: String(candidate.id),
                  label: `The same as ${candidate.name}, ${candidate.is_archived ? 'in the archive' : (candidate.class ?? 'no class')}`,
                })),
                { value: 'new', label: 'A new pupil' },
              ]}
            />
          </li>
        )}
      </PlanPart>
      <PlanPart
        title="Which class?"
        rows={plan.choices}
        note={`These pupils are in several classes in ${source}. Here, a pupil can be in only one.`}
      >
        {({ source_id: sourceId, name, class: now, classes }) => (
          <li key={sourceId}>
            <NativeSelect
              label={name}
              value={choices.classes.get(sourceId) ?? ''}
              onChange={(event) =>
                onChange({ classes: new Map(choices.classes).set(sourceId, event.currentTarget.value) })
              }
              data={[
                { value: '', label: now ? `Stay in ${now}` : 'No class' },
                ...classes.map((option) => ({ value: option.source_id, label: option.name })),
              ]}
            />
          </li>
        )}
      </PlanPart>
      <Leavers
        title="Leavers"
        note={`They are no longer in ${source}. Tick those who have left: their login ends and they go to the archive, where you can restore them for up to 30 days.`}
        rows={unexpected}
        choices={choices}
        onChange={onChange}
      />
      <Leavers
        title="Year 6 leavers"
        note={`They were in Year 6 and are no longer in ${source}, as we would expect in summer. Tick those who have left.`}
        rows={expected}
        choices={choices}
        onChange={onChange}
      />
      <PlanPart
        title="Staff who may have left"
        rows={plan.missing_staff}
        noun={['person', 'people']}
        note={`They are no longer in ${source}. If you remove someone, their login to your school ends at once and their classes have no teacher; Undo does not bring them back. If you keep someone, we ask again only if they return to ${source} and leave again.`}
      >
        {({ user, name }) => (
          <li key={user}>
            <NativeSelect
              label={name}
              value={choices.missingStaff.get(user) ?? ''}
              onChange={(event) => {
                const missingStaff = new Map(choices.missingStaff);
                const answer = event.currentTarget.value;
                if (answer === 'remove' || answer === 'keep') missingStaff.set(user, answer);
                else missingStaff.delete(user);
                onChange({ missingStaff });
              }}
              data={[
                { value: '', label: 'Decide later' },
                { value: 'remove', label: 'Remove from the school' },
                { value: 'keep', label: 'Keep' },
              ]}
            />
          </li>
        )}
      </PlanPart>
      <PlanPart
        title="Staff to invite"
        rows={plan.staff}
        noun={['person', 'people']}
        note={`They are in ${source}, but not in your school here. We email only those you tick, and invite them as teachers.`}
      >
        {({ name, email }) => (
          <li key={email}>
            <Checkbox
              label={`${name}, ${email}`}
              checked={choices.invites.has(email)}
              onChange={(event) =>
                onChange({ invites: toggled(choices.invites, [email], event.currentTarget.checked) })
              }
            />
          </li>
        )}
      </PlanPart>
    </>
  );
}

interface LeaversProps extends Omit<Props, 'plan' | 'source'> {
  title: string;
  note: string;
  rows: SchoolRecordsPlan['leavers'];
}

function Leavers({ choices, onChange, ...part }: LeaversProps) {
  const idsOf = (rows: readonly LeaversProps['rows'][number][]) =>
    rows.flatMap(({ pupil }) => (pupil === null ? [] : [pupil]));
  return (
    <TickedPupils
      {...part}
      allLabel="All of them have left"
      isTicked={({ pupil }) => pupil !== null && choices.leavers.has(pupil)}
      onTick={(rows, isTicked) => onChange({ leavers: toggled(choices.leavers, idsOf(rows), isTicked) })}
    />
  );
}
