import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { type Choices, toggled } from '../model/answers.ts';
import { PlanPart } from '../../runs/runs.public.ts';
import { TickedPupils } from './TickedPupils.tsx';

type Difference = SchoolRecordsPlan['differences'][number];

const describeDifference = ({ field, here, there }: Difference, source: string): string => {
  if (field === 'archived') return `deleted here, and still in ${source}`;
  return `${field === 'class' ? 'class' : 'name'} here ${here ?? 'none'}, in ${source} ${there ?? 'none'}`;
};

interface Props {
  plan: SchoolRecordsPlan;
  /** What the page calls where the plan comes from. */
  source: string;
  choices: Choices;
  onChange: (part: Partial<Choices>) => void;
}

/** What applying the plan changes without further questions, and what it leaves alone. */
export function PlannedChanges({ plan, source, choices, onChange }: Props) {
  return (
    <>
      <TickedPupils
        title="Recognised"
        rows={plan.recognised}
        note={`Each has the same name, or the same UPN, as one pupil in ${source}. Their changes are below. Untick those who are not the same child: they are added as new pupils.`}
        allLabel="All of them are the same"
        isFolded
        isTicked={({ source_id: id }) => choices.merges.get(id) !== 'new'}
        onTick={(rows, isTicked) => {
          const merges = new Map(choices.merges);
          for (const { source_id: id } of rows)
            if (isTicked) merges.delete(id);
            else merges.set(id, 'new');
          onChange({ merges });
        }}
      />
      <TickedPupils
        title="Joiners"
        rows={plan.joiners}
        note="They get a username and a password. Untick those you do not want to add."
        allLabel="Add all of them"
        isTicked={({ source_id: id }) => !choices.leftOut.has(id)}
        onTick={(rows, isTicked) => {
          const ids = rows.map(({ source_id: id }) => id);
          onChange({ leftOut: toggled(choices.leftOut, ids, !isTicked) });
        }}
      />
      <PlanPart title="Pupils who are back" rows={plan.returners} note="They are restored from the archive.">
        {({ source_id, name, class: to }) => (
          <li key={source_id}>
            <span>{name}</span> <span className="soft">{to ?? 'their former class'}</span>
          </li>
        )}
      </PlanPart>
      <PlanPart title="Changes of class" rows={plan.movers}>
        {({ source_id, name, from, class: to }) => (
          <li key={source_id}>
            <span>{name}</span>{' '}
            <span className="soft">
              from {from ?? 'no class'} to {to}
            </span>
          </li>
        )}
      </PlanPart>
      <PlanPart title="Changes of name" rows={plan.names}>
        {({ source_id, name, from }) => (
          <li key={source_id}>
            <span>{from}</span> <span className="soft">becomes {name}</span>
          </li>
        )}
      </PlanPart>
      <PlanPart title="Classes" rows={plan.classes} noun={['class', 'classes']}>
        {({ name, from }) => (
          <li key={name}>
            <span>{from ?? name}</span> <span className="soft">{from === null ? 'new' : `becomes ${name}`}</span>
          </li>
        )}
      </PlanPart>
      <PlanPart
        title="Different here"
        rows={plan.differences}
        note="Someone changed these in the portal. They stay as they are."
      >
        {(difference) => (
          <li key={`${difference.pupil} ${difference.name} ${difference.field}`}>
            <span>{difference.name}</span> <span className="soft">{describeDifference(difference, source)}</span>
          </li>
        )}
      </PlanPart>
      <PlanPart
        title="From another source"
        rows={plan.elsewhere}
        note="Another source added these pupils. They are not changed."
      >
        {({ source_id, name }) => <li key={source_id}>{name}</li>}
      </PlanPart>
      <PlanPart title="Left out" rows={plan.rejected} note="Correct them in your management information system.">
        {({ name, reason }, index) => (
          // Two pupils may have the same name.
          <li key={`${name} ${index}`}>
            <span>{name === '' ? 'No name' : name}</span> <span className="soft">{reason}</span>
          </li>
        )}
      </PlanPart>
    </>
  );
}
