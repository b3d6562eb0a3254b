import type { YearEndRecords } from '#contract/calls/year-end.ts';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { changesInWords } from '../../runs/runs.public.ts';
import { remainingInWords } from '../model/records-text.ts';
import css from '../YearEndPage.module.css';

interface Step {
  text: string;
  action: string;
}

/** What is left to do with the school records after a year end. All of it is on the page of their run. */
export function NextSteps({ records }: { records: YearEndRecords }) {
  const steps = listSteps(records);
  if (steps.length === 0) return null;
  return (
    <section className="above-2xl" aria-labelledby="next-steps">
      <h2 id="next-steps">Next steps</h2>
      <ul className={`stack-s ${css.steps}`}>
        {steps.map(({ text, action }) => (
          <li key={action} className="box row spread">
            <span>{text}</span>
            <ButtonLink size="sm" variant="default" to={paths.schoolRecordsRun(records.run_id)}>
              {action}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function listSteps(records: YearEndRecords): Step[] {
  if (records.state === 'applied') {
    const { counts } = records;
    const joiners = count(counts.joiners, 'joiner');
    const applied = {
      text: `The school records have been applied: ${changesInWords(counts, 'oneroster')}. You can undo them on their own.`,
      action: 'Show the records',
    };
    if (counts.joiners === 0) return [applied];
    return [
      applied,
      { text: `The ${joiners} can get their logins.`, action: `Login cards and tags for the ${joiners}` },
    ];
  }
  const remaining = remainingInWords(records);
  const steps: Step[] = [];
  if (remaining) steps.push({ text: `Still to come from the school records: ${remaining}.`, action: 'Review' });
  if (records.staff > 0)
    steps.push({
      text: `${count(records.staff, 'colleague is', 'colleagues are')} in the records and not here.`,
      action: 'Choose whom to invite',
    });
  return steps;
}
